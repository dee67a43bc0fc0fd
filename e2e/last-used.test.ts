// When a key and a session were last used is written down when the process is told to end, at the latest.
import { rm } from "node:fs/promises";
import { expect, test } from "bun:test";

import { startInstance } from "./harness/instance.ts";
import { clientOf, createPerson, signIn } from "./harness/people.ts";
import { hung, temporaryFolder } from "./harness/process.ts";

test(
  "a use that no minute has passed since survives a restart",
  async () => {
    const dataDir = await temporaryFolder("last-used");
    const first = await startInstance({ dataDir });
    const person = await createPerson(first);
    const session = await signIn(first, person.userId);
    const before = Date.now();
    await person.client.call("profile.get", {});
    await clientOf(first.origin, session).call("profile.get", {});
    expect(await first.stop()).toBe(0);
    const stopped = Date.now();

    const second = await startInstance({ dataDir });
    const client = clientOf(second.origin, session);
    const { apiKeys } = await client.call("apiKey.list", {});
    const { sessions } = await client.call("session.list", {});
    for (const used of [apiKeys[0]?.lastUsedAt, sessions[0]?.lastUsedAt]) {
      expect(Date.parse(used ?? "")).toBeGreaterThanOrEqual(before);
      expect(Date.parse(used ?? "")).toBeLessThanOrEqual(stopped);
    }
    await second.stop();
    await rm(dataDir, { recursive: true });
  },
  2 * hung,
);
