import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Database } from "@plinth/db/connection";
import { testDatabase, type TestDatabase } from "@plinth/db/test/database";
import { emit } from "@plinth/domain/telemetry";

import { startWorkerServer } from "./server.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

const figures = { token: "a-token-for-figures", contentType: "text/plain; version=0.0.4", text: async () => "a 1\n" };

async function served<Result>(
  options: Partial<Parameters<typeof startWorkerServer>[0]>,
  work: (ask: (path: string, init?: RequestInit) => Promise<Response>) => Promise<Result>,
): Promise<Result> {
  const about = {
    port: 0,
    host: "127.0.0.1",
    version: "1.2.3",
    db,
    browser: "Chromium 153",
    figures,
    databaseTrouble: () => null,
  };
  const server = startWorkerServer({ ...about, ...options });
  try {
    return await work((path, init) => fetch(`http://127.0.0.1:${server.port}${path}`, init));
  } finally {
    await server.close();
  }
}

test("health reports the last job, the database and the browser", () =>
  served({}, async (ask) => {
    const before = await (await ask("/health")).json();
    expect(before).toMatchObject({ status: "pass", version: "1.2.3", lastJob: null });
    emit("job", {
      kind: "purge",
      queue: "upkeep",
      jobId: "x",
      attempt: 1,
      ms: 3,
      outcome: "dead",
      error: new Error("secret"),
    });
    const after = await (await ask("/health")).text();
    expect(JSON.parse(after)).toMatchObject({ lastJob: { kind: "purge", outcome: "dead" } });
    expect(after).not.toContain("secret");
  }));

test("health: a warning without a browser; 503 without the database, but alive", async () => {
  await served({ browser: null }, async (ask) => {
    const answer = await ask("/health");
    expect([answer.status, (await answer.json()).status]).toEqual([200, "warn"]);
  });
  const away = { run: () => Promise.reject(new Error("away")) } as unknown as Database;
  await served({ db: away }, async (ask) => {
    const answer = await ask("/health");
    expect([answer.status, (await answer.json()).status]).toEqual([503, "fail"]);
    expect((await ask("/health?live")).status).toBe(200);
  });
});

test("metrics require their token, and nothing else is served", () =>
  served({}, async (ask) => {
    const authorization = `Bearer ${figures.token}`;
    const read = await ask("/metrics", { headers: { authorization } });
    expect([read.status, await read.text()]).toEqual([200, "a 1\n"]);
    for (const wrong of ["", "Bearer", "Bearer wrong", `Basic ${figures.token}`, `Bearer ${figures.token}x`])
      expect((await ask("/metrics", { headers: { authorization: wrong } })).status).toBe(401);
    expect((await ask("/metrics", { method: "POST", headers: { authorization } })).status).toBe(405);
    for (const path of ["/", "/api/health", "/health/", "/api/operator/jobs"])
      expect((await ask(path)).status).toBe(404);
  }));

test("metrics are not found without a configured token", () =>
  served({ figures: null }, async (ask) => {
    expect((await ask("/metrics", { headers: { authorization: "Bearer null" } })).status).toBe(404);
  }));
