// Invariants across processes, the same at each of them: steps that a test runs by name. Knows URLs of processes and
// the API, but not how they are connected.
import { expect } from "bun:test";
import { request } from "node:http";

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { factsOf } from "@plinth/support/mcp-text";

import { openEvents, until } from "../harness/events.ts";
import { foundBy } from "../harness/found.ts";
import { jsonOf, problemOf, send } from "../harness/http.ts";
import {
  clientOf,
  createArtifact,
  createKey,
  createPerson,
  createProject,
  fresh,
  operatorOf,
  signIn,
} from "../harness/people.ts";
import { untilCaptured } from "../harness/screenshots.ts";
import type { Shape } from "./shape.ts";

type Claim = (shape: Shape) => Promise<void>;

async function desk(shape: Shape) {
  const person = await createPerson(shape.front);
  const project = await createProject(person);
  return { person, projectSlug: project.slug, path: `${person.username}/${project.slug}` };
}

/** As if it were asked at the front: another process answers it. */
const host = ({ front }: Shape) => ({ host: new URL(front.origin).host });

export const claims: Readonly<Record<string, Claim>> = {
  "what one publishes another reads at once, and says 304 to nobody who has the old": async (shape) => {
    const { person, projectSlug } = await desk(shape);
    const [one, other] = shape.apis;
    const { artifactId } = await createArtifact(person, projectSlug, { content: "# One\n" });
    for (let version = 1; version <= 20; version++) {
      const read = await send(`${other}/api/artifacts/${artifactId}/content`);
      expect(read.text).toBe(version === 1 ? "# One\n" : `# ${version}\n`);
      const etag = read.headers.get("etag") ?? "";
      const again = { headers: { "if-none-match": etag } };
      for (const origin of shape.apis)
        expect((await send(`${origin}/api/artifacts/${artifactId}/content`, again)).status).toBe(304);
      await clientOf(one, person.token).call("version.create", { artifactId, content: `# ${version + 1}\n` });
      expect((await send(`${other}/api/artifacts/${artifactId}/content`, again)).status).toBe(200);
    }
    const framed = await send(`${one}/_content/p/${artifactId}/1`);
    const kept = { headers: { "if-none-match": framed.headers.get("etag") ?? "" } };
    expect(framed.status).toBe(200);
    expect((await send(`${other}/_content/p/${artifactId}/1`, kept)).status).toBe(304);
  },

  "an idempotency key of one is known to the other": async (shape) => {
    const { person, projectSlug } = await desk(shape);
    const [one, other] = shape.apis;
    const access = { publicView: true, publicEdit: false };
    const body = { projectSlug, slug: fresh("once"), type: "md", title: "Once", content: "x", access };
    const headers = { "idempotency-key": crypto.randomUUID() };
    const post = (origin: string, changed: object = {}) =>
      send(`${origin}/api/artifacts`, { method: "POST", token: person.token, headers, body: { ...body, ...changed } });
    const first = jsonOf(await post(one), 201);
    const replay = await post(other);
    expect(jsonOf(replay, 201)).toEqual(first);
    expect(replay.headers.get("idempotency-replayed")).toBe("true");
    expect(problemOf(await post(other, { title: "Twice" })).code).toBe("idempotency_conflict");
  },

  "a stream at one, and one through proxies, hear what another publishes": async (shape) => {
    const { person, projectSlug } = await desk(shape);
    const { artifactId } = await createArtifact(person, projectSlug);
    const streams = await Promise.all(
      [...shape.apis, ...shape.webs, shape.front.origin].map((origin) =>
        openEvents(origin, artifactId, { headers: host(shape) }),
      ),
    );
    await clientOf(shape.apis[0], person.token).call("version.create", { artifactId, content: "# Two\n" });
    await until(() => streams.every(({ events }) => events.length === 1));
    for (const stream of streams) {
      expect(stream.events[0]).toMatchObject({ event: "version", data: { artifactId, versionNumber: 2 } });
      stream.close();
    }
  },

  "what is revoked at one is revoked at the other at once": async (shape) => {
    const { person, projectSlug } = await desk(shape);
    const [one, other] = shape.apis;
    const { artifactId } = await createArtifact(person, projectSlug);
    const session = await signIn(shape.front, person.userId);
    const get = (token: string) => send(`${other}/api/artifacts/${artifactId}`, { token });
    for (let round = 0; round < 10; round++) {
      const { apiKeyId, key = "" } = await operatorOf(shape.front).call("operator.createApiKey", {
        userId: person.userId,
        name: fresh("key"),
        scopes: ["artifacts:read"],
      });
      expect((await get(key)).status).toBe(200);
      const headers = { cookie: session, origin: shape.front.origin };
      expect((await send(`${one}/api/api-keys/${apiKeyId}`, { method: "DELETE", headers })).status).toBe(204);
      expect((await get(key)).status).toBe(401);
    }
    await clientOf(one, person.token).call("access.update", {
      artifactId,
      publicView: false,
      publicEdit: false,
      viewerEmails: [],
    });
    expect((await send(`${other}/api/artifacts/${artifactId}`)).status).toBe(404);
  },

  "who signs in, and who opens a share link, at one web app is known at the other": async (shape) => {
    const { person, projectSlug, path } = await desk(shape);
    const { origin } = shape.front;
    const [web, otherWeb] = shape.webs;
    const access = { publicView: false, publicEdit: false };
    const { artifactId, slug } = await createArtifact(person, projectSlug, { access });

    const session = await signIn(shape.front, person.userId);
    for (const at of [web, otherWeb]) {
      const own = await send(`${at}/settings/keys`, { headers: { ...host(shape), cookie: session } });
      expect([own.status, own.text.includes(person.username)]).toEqual([200, true]);
    }

    const { token } = await person.client.call("shareLink.create", { artifactId, role: "viewer" });
    const exchange = { method: "POST", headers: { ...host(shape), origin, "x-share-token": token ?? "" } };
    const granted = await send(`${web}/api/auth/share-grant`, exchange);
    const cookie = granted.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    const page = (at: string) => send(`${at}/${path}/${slug}`, { headers: { ...host(shape), cookie } });
    expect([(await page(web)).status, (await page(otherWeb)).status]).toEqual([200, 200]);
    const [link] = (await person.client.call("shareLink.list", { artifactId })).shareLinks;
    await person.client.call("shareLink.revoke", { shareLinkId: link?.shareLinkId ?? "" });
    expect([(await page(web)).status, (await page(otherWeb)).status]).toEqual([404, 404]);
  },

  "a worker does what a request has caused": async (shape) => {
    const { person, projectSlug } = await desk(shape);
    const word = `heron${Bun.randomUUIDv7().replaceAll("-", "")}`;
    const { artifactId } = await createArtifact(person, projectSlug, { content: `# ${word}\n` });
    await foundBy(person, word, artifactId);
    await untilCaptured({ origin: shape.apis[1], operatorToken: shape.front.operatorToken }, person, artifactId);
    await until(
      async () =>
        (await clientOf(shape.apis[1], shape.front.operatorToken).call("operator.stats", {})).outbox.rows === 0,
    );
  },

  "tools are called through whatever stands before": async (shape) => {
    const { person, projectSlug } = await desk(shape);
    const requestInit = { headers: { authorization: `Bearer ${person.token}` } };
    const client = new Client(
      { name: "scale", version: "1.0" },
      { versionNegotiation: { mode: { pin: "2026-07-28" } } },
    );
    await client.connect(new StreamableHTTPClientTransport(new URL(`${shape.front.origin}/mcp`), { requestInit }));
    const given = { projectSlug, slug: fresh("tool"), type: "md", title: "By tool", content: "# By tool\n" };
    const made = await client.callTool({
      name: "create_artifact",
      arguments: { ...given, access: { publicView: true, publicEdit: false } },
    });
    const { artifactId } = factsOf(made);
    await client.close();
    expect((await send(`${shape.apis[1]}/api/artifacts/${artifactId}/content`)).text).toBe(given.content);
  },

  "an identifier goes all the way, and comes back from each": async (shape) => {
    for (const origin of [shape.front.origin, ...shape.apis, ...shape.webs]) {
      const requestId = crypto.randomUUID();
      const headers = { ...host(shape), "x-request-id": requestId };
      const problem = problemOf(await send(`${origin}/api/profile/me`, { headers }));
      expect([problem.code, problem.requestId]).toEqual(["unauthenticated", requestId]);
    }
  },

  "a limit is one for all where they count together, and each one's own where not": async (shape) => {
    const [one, other] = shape.apis;
    const isTogether = shape.countsTogether || one === other;
    const expected = (start: number) =>
      isTogether ? [start - 1, start - 2, start - 3] : [start, start - 1, start - 1];
    // A process counts alone if Redis is late (domain/counters.ts): then another key is tried.
    for (let tries = 5; ; tries--) {
      const { artifactId, token } = await limited(shape);
      const remaining = async (origin: string) => {
        const { headers } = await send(`${origin}/api/artifacts/${artifactId}`, { token });
        return Number(/r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1]);
      };
      const start = await remaining(one);
      const seen = [await remaining(other), await remaining(one), await remaining(other)];
      if (tries > 1 && !Bun.deepEquals(seen, expected(start))) continue;
      expect(seen).toEqual(expected(start));
      return;
    }
  },

  "who claims another address each time is counted as one, whichever way they come": async (shape) => {
    const { artifactId } = await limited(shape);
    for (const origin of [shape.front.origin, shape.apis[0]]) {
      const seen = [];
      for (const claim of ["203.0.113.1", "203.0.113.2", "127.0.0.1, 203.0.113.3"])
        seen.push(await anonymously(`${origin}/api/artifacts/${artifactId}`, claim));
      const [first = 0] = seen;
      // Of several processes that count each for itself one may have seen fewer.
      expect(first - (seen.at(-1) ?? first)).toBeGreaterThanOrEqual(1);
      expect(Math.min(...seen)).toBeLessThan(first);
    }
  },
};

/** An artifact that anyone reads, and a key that nothing was counted for yet. */
async function limited(shape: Shape) {
  const { person, projectSlug } = await desk(shape);
  const { artifactId } = await createArtifact(person, projectSlug);
  return { artifactId, token: await createKey(shape.front, person.userId) };
}

/** The remaining rate at an address that no proxy vouches for, with a forged header. */
function anonymously(url: string, claim: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const headers = { "x-forwarded-for": claim };
  const asked = request(url, { localAddress: "127.0.0.9", headers, agent: false }, (answer) => {
    answer.resume();
    resolve(Number(/r=(\d+)/.exec(String(answer.headers["ratelimit"]))?.[1]));
  });
  asked.on("error", reject);
  asked.end();
  return promise;
}
