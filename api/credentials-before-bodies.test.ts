// What a credential costs before it is known to be good: no more than the beginning of a body, and one of its address's rate.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mintToken } from "@plinth/domain/credentials/token";
import type { TestPerson } from "@plinth/domain/testing";

import { createService, type Service } from "./testing.ts";

const limit = 6;
let service: Service;
let limited: Service;
let owner: TestPerson;
let project: string;
beforeAll(async () => {
  service = await createService({ maxContentBytes: 2 * 1024 * 1024 });
  limited = await createService({ rateLimits: { reads: limit, writes: limit } });
  owner = await service.world.person();
  project = (await service.world.project(owner.token)).slug;
});
afterAll(async () => {
  await service.close();
  await limited.close();
});

/** A body that says how much of it was read. */
function measured(bytes: number) {
  const state = { read: 0, isCancelled: false };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (state.read >= bytes) return controller.close();
        const chunk = new Uint8Array(Math.min(4096, bytes - state.read)).fill(0x5b);
        state.read += chunk.length;
        controller.enqueue(chunk);
      },
      cancel() {
        state.isCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { body, state };
}

const large = 9_500_000;
const json = { "content-type": "application/json" };
const paths = ["/api/artifacts", "/mcp"] as const;

test.each(paths)(
  "POST %s with a forged token reads 16 KB of a body without a length, and none of one with",
  async (path) => {
    for (const [headers, most] of [
      [json, 16 * 1024 + 4096],
      [{ ...json, "content-length": String(large) }, 0],
    ] as const) {
      const { body, state } = measured(large);
      const response = await service.ask("POST", path, { as: mintToken("apiKey"), body, headers });
      expect(response.status).toBe(401);
      expect(state.read).toBeLessThanOrEqual(most);
      expect(state.isCancelled || state.read === 0).toBe(true);
    }
  },
);

test("a large body is refused for its structure, after its caller is known", async () => {
  for (const [path, status, message] of [
    ["/api/artifacts", 400, "nested deeper than 16 levels"],
    ["/mcp", 400, "Nested deeper than 19 levels"],
  ] as const) {
    const { body } = measured(1_000_000);
    const response = await service.ask("POST", path, { as: owner.token, body, headers: json });
    expect([response.status, await response.text()]).toEqual([status, expect.stringContaining(message)]);
  }
});

test("publishing more than 16 KB is one statement more than publishing less, and is counted once", async () => {
  const publish = (content: string) => () =>
    service.ask("POST", "/api/artifacts", {
      as: owner.token,
      body: {
        projectSlug: project,
        slug: service.world.name("a"),
        type: "md",
        title: "T",
        content,
        access: { publicView: true, publicEdit: false },
      },
    });
  const statementsOf = async (content: string) => {
    let status = 0;
    const statements = await service.world.statementsOf(async () => (status = (await publish(content)()).status));
    expect(status).toBe(201);
    return statements;
  };
  expect(await statementsOf("x".repeat(15 * 1024))).toBe(2);
  expect(await statementsOf("x".repeat(17 * 1024))).toBe(3);

  const person = await limited.world.person();
  const body = { slug: "p".repeat(64), title: "T".repeat(200), icon: "p", ignored: "x".repeat(20_000) };
  const answer = await limited.ask("POST", "/api/projects", { as: person.token, body });
  expect([answer.status, answer.headers.get("ratelimit")]).toEqual([400, expect.stringContaining(`r=${limit - 1};`)]);
});

test("a share link opens a large update, and a wrong one is refused before the body", async () => {
  const access = { publicView: false, publicEdit: false };
  const hidden = await service.world.publish(owner.token, project, { access });
  const link = await service.world.call(
    "shareLink.create",
    { artifactId: hidden.artifactId, role: "editor" },
    { as: owner.token },
  );
  const path = `/api/artifacts/${hidden.artifactId}/versions`;
  const headers = { "x-share-token": link.token ?? "" };
  const content = "x".repeat(100_000);
  expect((await service.ask("POST", path, { headers, body: { content } })).status).toBe(201);
  const { body, state } = measured(large);
  const wrong = { ...json, "x-share-token": mintToken("share"), "content-length": String(large) };
  expect((await service.ask("POST", path, { headers: wrong, body })).status).toBe(401);
  expect(state.read).toBe(0);
});

test.each([
  ["unknown tokens", () => mintToken("apiKey")],
  ["unknown access tokens", () => mintToken("access")],
  ["tokens of no known form", () => `garbage-${crypto.randomUUID()}`],
  ["wrong operator tokens", () => mintToken("operator")],
])(
  "%s: no more than the address's rate are looked up, and the rest are 429 with a time to wait",
  async (_name, token) => {
    const other = await createService({ rateLimits: { reads: limit, writes: 0 } });
    try {
      const answers: Response[] = [];
      const statements = await other.world.statementsOf(async () => {
        for (let n = 0; n < 20; n++) answers.push(await other.ask("GET", "/api/profile/me", { as: token() }));
      });
      expect(answers.map(({ status }) => status)).toEqual([
        ...Array<number>(limit).fill(401),
        ...Array<number>(14).fill(429),
      ]);
      expect(Number(answers.at(-1)?.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(statements).toBeLessThanOrEqual(limit);
      const beside = await Promise.all(
        Array.from({ length: 20 }, () =>
          other.ask("POST", "/mcp", { as: token(), body: { jsonrpc: "2.0", id: 1, method: "tools/list" } }),
        ),
      );
      expect(new Set(beside.map(({ status }) => status))).toEqual(new Set([429]));
    } finally {
      await other.close();
    }
  },
);

test("forged tokens sent at once by REST and MCP: no more 401 than the rate, and everything else is 429", async () => {
  const other = await createService({ rateLimits: { reads: limit, writes: 0 } });
  try {
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "whoami", arguments: {} } };
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        n % 2 === 0
          ? other.ask("POST", "/mcp", {
              as: mintToken("agent"),
              body: call,
              headers: { accept: "application/json, text/event-stream" },
            })
          : other.ask("GET", "/api/profile/me", { as: mintToken("apiKey") }),
      ),
    );
    const refused = answers.filter(({ status }) => status === 401);
    expect(refused.length).toBe(limit);
    expect(answers.every(({ status }) => status === 401 || status === 429)).toBe(true);
  } finally {
    await other.close();
  }
});

test("a good token is served while its address has spent its rate on forged ones, and guesses are not", async () => {
  const other = await createService({ rateLimits: { reads: limit, writes: limit } });
  try {
    const person = await other.world.person();
    const ask = (as: string) => other.ask("GET", "/api/profile/me", { as });
    expect((await ask(person.token)).status).toBe(200);
    for (let n = 0; n < limit; n++) expect((await ask(mintToken("apiKey"))).status).toBe(401);
    expect((await ask(mintToken("apiKey"))).status).toBe(429);
    expect((await ask(person.token)).status).toBe(200);
    await other.world.db.run(
      "UPDATE credential SET revoked_at = now() WHERE user_id = (SELECT user_id FROM credential WHERE hash = decode($1, 'hex'))",
      [new Bun.CryptoHasher("sha256").update(person.token).digest("hex")],
    );
    expect((await ask(person.token)).status).toBe(429);
    expect((await ask(person.token)).status).toBe(429);
  } finally {
    await other.close();
  }
});

test("documents count against the address of their reader, who is told when to come back", async () => {
  const person = await limited.world.person();
  const { slug } = await limited.world.project(person.token);
  const { artifactId } = await limited.world.publish(person.token, slug, { content: "# Counted" });
  const other = await limited.world.instance.limiter.take("reads", "address:192.0.2.1");
  const left = other?.remaining ?? 0;
  const read = () => limited.ask("GET", `/_content/p/${artifactId}/1`);
  for (let n = 0; n < left; n++) expect((await read()).status).toBe(200);
  const refused = await read();
  expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
  expect((await limited.ask("GET", "/_content/no-ticket")).status).toBe(429);
});
