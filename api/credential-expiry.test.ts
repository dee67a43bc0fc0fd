// The header by which a program learns that its key ends soon, and that of the instance's version.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { decodeId } from "@plinth/contract/ids";
import { expiryWarningDays } from "@plinth/contract/limits";

import { createService, type Service } from "./test/service.ts";

let service: Service;
beforeAll(async () => {
  service = await createService();
});
afterAll(() => service.close());

const day = 86_400_000;

test("a key that ends within days is told so with every answer", async () => {
  const owner = await service.setup.person();
  const endOf = async () =>
    (await service.ask("GET", "/api/profile/me", { as: owner.token })).headers.get("x-credential-expires-at");
  const setEnd = (end: Date | null) =>
    service.setup.db.run("UPDATE credential SET expires_at = $1 WHERE user_id = $2", [
      end,
      decodeId("usr", owner.userId),
    ]);
  const soon = new Date(Date.now() + (expiryWarningDays - 1) * day);
  await setEnd(soon);
  expect(await endOf()).toBe(soon.toISOString());
  await setEnd(new Date(Date.now() + (expiryWarningDays + 1) * day));
  expect(await endOf()).toBeNull();
  await setEnd(null);
  expect(await endOf()).toBeNull();
  expect((await service.ask("GET", "/api/health")).headers.has("x-credential-expires-at")).toBeFalse();
});

test("every answer of the API has the version of the instance, and no other page", async () => {
  for (const path of ["/api/health", "/api/nothing", "/api/openapi.json"])
    expect((await service.ask("GET", path)).headers.get("x-plinth-version")).toMatch(/^\d+\.\d+\.\d+$/);
  expect((await service.ask("GET", "/llms.txt")).headers.has("x-plinth-version")).toBeFalse();
});
