// The cost of a credential before it is verified: no more than the beginning of a body, and one count of the IP
// address's rate.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mintToken } from "@plinth/domain/tokens/token";
import type { Instance } from "@plinth/domain/context";
import { createInstance } from "@plinth/domain/instance";
import { emptyQueue, type TestPerson } from "@plinth/domain/test/context";

import { cookieOf, createService, origin, type Service } from "./test/service.ts";

const limit = 6;
let service: Service;
let limited: Service;
let owner: TestPerson;
let project: string;
beforeAll(async () => {
  service = await createService({ maxContentBytes: 2 * 1024 * 1024 });
  limited = await createService({ rateLimits: { reads: limit, writes: limit } });
  owner = await service.setup.person();
  project = (await service.setup.project(owner.token)).slug;
});
afterAll(async () => {
  await service.close();
  await limited.close();
});

/** A body that counts how much of it was read. */
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
        slug: service.setup.name("a"),
        type: "md",
        title: "T",
        content,
        access: { publicView: true, publicEdit: false },
      },
    });
  const statementsOf = async (content: string) => {
    let status = 0;
    const statements = await service.setup.statementsOf(async () => (status = (await publish(content)()).status));
    expect(status).toBe(201);
    return statements;
  };
  expect(await statementsOf("x".repeat(15 * 1024))).toBe(2);
  expect(await statementsOf("x".repeat(17 * 1024))).toBe(3);

  const person = await limited.setup.person();
  const body = { slug: "p".repeat(64), title: "T".repeat(200), icon: "p", ignored: "x".repeat(20_000) };
  const answer = await limited.ask("POST", "/api/projects", { as: person.token, body });
  expect([answer.status, answer.headers.get("ratelimit")]).toEqual([400, expect.stringContaining(`r=${limit - 1};`)]);
});

test("a share link opens a large update, and a wrong one is refused before the body", async () => {
  const access = { publicView: false, publicEdit: false };
  const hidden = await service.setup.publish(owner.token, project, { access });
  const link = await service.setup.call(
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
    await withLimits(async (other) => {
      const answers: Response[] = [];
      const statements = await service.setup.statementsOf(async () => {
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
    });
  },
);

test("forged tokens sent at once by REST and MCP: no more 401 than the rate, and everything else is 429", async () => {
  await withLimits(async (other) => {
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
  });
});

test("a good token is served while its address has spent its rate on forged ones, and guesses are not", async () => {
  await withLimits(async (other) => {
    const person = await service.setup.person();
    const ask = asking(other);
    expect((await ask(person.token)).status).toBe(200);
    await spendRefusals(other);
    expect((await ask(person.token)).status).toBe(200);
    await endKeys(person, "revoked_at");
    for (let n = 0; n < 2; n++) expect((await ask(person.token)).status).toBe(401);
  });
});

test("refused credentials and anonymous reads of one address have a rate each, and neither spends the other's", async () => {
  await withLimits(async (other) => {
    const person = await service.setup.person();
    const { slug } = await service.setup.project(person.token);
    const { artifactId } = await service.setup.publish(person.token, slug, {
      access: { publicView: true, publicEdit: false },
    });
    const read = () => other.ask("GET", `/api/artifacts/${artifactId}`);
    await spendRefusals(other);
    for (let n = 0; n < limit; n++) expect((await read()).status).toBe(200);
    expect((await read()).status).toBe(429);
  });
  await withLimits(async (other) => {
    for (let n = 0; n < limit; n++) await other.limiter.take("reads", "address:192.0.2.1");
    expect((await asking(other)(mintToken("apiKey"))).status).toBe(401);
    const person = await service.setup.person();
    expect((await asking(other)(person.token)).status).toBe(200);
  });
});

test.each([
  ["expires_at", "token_expired"],
  ["revoked_at", "unauthenticated"],
] as const)(
  "a key whose %s has passed is %s by one look-up and one refusal however often it is sent, and while guesses are 429",
  async (column, code) => {
    await withLimits(async (other) => {
      const person = await service.setup.person();
      await endKeys(person, column);
      const ask = asking(other);
      const answers: Response[] = [];
      const statements = await service.setup.statementsOf(async () => {
        for (let n = 0; n < 3 * limit; n++) answers.push(await ask(person.token));
      });
      expect(statements).toBe(1);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
      expect(await answers.at(-1)?.json()).toMatchObject({ code });
      await spendRefusals(other, limit - 1);
      expect(await (await ask(person.token)).json()).toMatchObject({ code });
    });
  },
);

test("many keys that have ended are looked up no more often than the address's rate", async () => {
  await withLimits(async (other) => {
    const people = await Promise.all(Array.from({ length: limit + 4 }, () => service.setup.person()));
    for (const person of people) await endKeys(person, "revoked_at");
    const statuses: number[] = [];
    const statements = await service.setup.statementsOf(async () => {
      for (const { token } of people) statuses.push((await asking(other)(token)).status);
    });
    expect([statements, statuses]).toEqual([limit, [...Array<number>(limit).fill(401), 429, 429, 429, 429]]);
  });
});

test("cookies of ended sessions: each is looked up once, all of an address no more often than its rate", async () => {
  await withLimits(async (other) => {
    const { userId } = await service.setup.person();
    const sessions = await Promise.all(Array.from({ length: limit + 2 }, () => service.setup.session(userId)));
    const cookies = sessions.map((session) => cookieOf(session, service.setup.instance.config));
    const alive = cookieOf(await service.setup.session(userId), service.setup.instance.config);
    const ask = (cookie = "") => other.ask("GET", "/api/profile/me", { headers: { cookie } });
    expect((await ask(alive)).status).toBe(200);
    for (const session of sessions)
      if (typeof session === "object" && session.kind === "session")
        await service.setup.db.run("DELETE FROM session WHERE token = $1", [session.token]);
    const statusesOf = async (sent: readonly string[]) => {
      const statuses: number[] = [];
      const statements = await service.setup.statementsOf(async () => {
        for (const cookie of sent) statuses.push((await ask(cookie)).status);
      });
      return [statements, statuses];
    };
    expect(await statusesOf(Array<string>(3 * limit).fill(cookies[0] ?? ""))).toEqual([
      1,
      Array<number>(3 * limit).fill(401),
    ]);
    expect(await statusesOf(cookies.slice(1))).toEqual([limit - 1, [...Array<number>(limit - 1).fill(401), 429, 429]]);
    expect((await ask(alive)).status).toBe(200);
    // An operation that needs no caller runs anonymously.
    expect((await other.ask("GET", "/api/health", { headers: { cookie: cookies.at(-1) ?? "" } })).status).toBe(200);
  });
});

test("guesses from its address keep no session waiting that is seen for the first time", async () => {
  await withLimits(async (other) => {
    const { userId } = await service.setup.person();
    await spendRefusals(other);
    const cookie = cookieOf(await service.setup.session(userId), service.setup.instance.config);
    expect((await other.ask("GET", "/api/profile/me", { headers: { cookie } })).status).toBe(200);
  });
});

test("cookies of ended share links are looked up no more often than the address's rate", async () => {
  await withLimits(async (other) => {
    const person = await service.setup.person();
    const { slug } = await service.setup.project(person.token);
    const { artifactId } = await service.setup.publish(person.token, slug);
    const link = await service.setup.call("shareLink.create", { artifactId, role: "editor" }, { as: person.token });
    const granted = await other.ask("POST", "/api/auth/share-grant", {
      headers: { "x-share-token": link.token ?? "" },
    });
    const cookie = granted.headers.get("set-cookie")?.split(";")[0] ?? "";
    await service.setup.db.run("UPDATE share_link SET revoked_at = now()");
    const statuses: number[] = [];
    const statements = await service.setup.statementsOf(async () => {
      for (let n = 0; n < limit + 2; n++) {
        const headers = { cookie, origin };
        const body = { content: "x" };
        statuses.push((await other.ask("POST", `/api/artifacts/${artifactId}/versions`, { headers, body })).status);
      }
    });
    expect([statements, statuses]).toEqual([limit, [...Array<number>(limit).fill(401), 429, 429]]);
  });
});

interface Limited extends Pick<Service, "ask"> {
  readonly limiter: Instance["limiter"];
}

/** Another process with the same test context and empty counters. */
async function withLimits(work: (other: Limited) => Promise<void>): Promise<void> {
  const { db, instance } = service.setup;
  const config = { ...instance.config, rateLimits: { reads: limit, writes: limit } };
  const counting = createInstance({ config, db, queue: emptyQueue });
  await work({ ask: service.askOf(counting), limiter: counting.limiter });
}

const asking = (other: Limited) => (as: string) => other.ask("GET", "/api/profile/me", { as });

/** Sends forged tokens until they are refused unread. */
async function spendRefusals(other: Limited, left = limit): Promise<void> {
  for (let n = 0; n < left; n++) expect((await asking(other)(mintToken("apiKey"))).status).toBe(401);
  expect((await asking(other)(mintToken("apiKey"))).status).toBe(429);
}

async function endKeys({ token }: TestPerson, column: "expires_at" | "revoked_at"): Promise<void> {
  await service.setup.db.run(
    `UPDATE credential SET ${column} = now() WHERE user_id = (SELECT user_id FROM credential WHERE hash = decode($1, 'hex'))`,
    [new Bun.CryptoHasher("sha256").update(token).digest("hex")],
  );
}

test("documents count against the address of their reader, who is told when to come back", async () => {
  const person = await limited.setup.person();
  const { slug } = await limited.setup.project(person.token);
  // Loads of one document are at most half of the reads.
  const documents = await Promise.all(
    ["# One", "# Two", "# Three"].map((content) => limited.setup.publish(person.token, slug, { content })),
  );
  const other = await limited.setup.instance.limiter.take("reads", "address:192.0.2.1");
  const left = other?.remaining ?? 0;
  const read = (n: number) => limited.ask("GET", `/_content/p/${documents[n % documents.length]?.artifactId}/1`);
  for (let n = 0; n < left; n++) expect((await read(n)).status).toBe(200);
  const refused = await read(left);
  expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
  expect((await limited.ask("GET", "/_content/no-ticket")).status).toBe(429);
});
