// One-time URLs for files, and texts that are published by the hash of an uploaded file.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { filesLimits, uploadUrlMinutes } from "@plinth/contract/limits";
import type { ServedRequest } from "@plinth/contract/served-request";
import { uuidOf } from "@plinth/db/columns";
import { holdTransaction } from "@plinth/db/test/locks";
import { openUploadTicket, sealUploadTicket } from "@plinth/domain/files/one-time-upload";
import { on } from "@plinth/domain/telemetry";
import { closeThreads } from "@plinth/domain/threads/pool";
import type { TestPerson } from "@plinth/domain/test/context";

import { cookieOf, createService, origin, type Service } from "./test/service.ts";

let service: Service;
let owner: TestPerson;
let projectSlug: string;

beforeAll(async () => {
  service = await createService();
  owner = await service.setup.person();
  projectSlug = (await service.setup.project(owner.token)).slug;
});
afterAll(async () => {
  await closeThreads();
  await service.close();
});

const bytesOf = (text: string) => new TextEncoder().encode(text);
const hashOf = (bytes: Uint8Array | string) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

/** The path of a new one-time URL for the owner's workspace. */
async function newUrl(sizeBytes = 1000, as = owner.token): Promise<string> {
  const { url = "" } = await service.setup.call("upload.create", { sizeBytes }, { as });
  return url.slice(origin.length);
}

async function newUrlOf(artifactId: string, headers: Record<string, string>, as?: string): Promise<string> {
  const body = { sizeBytes: 1000 };
  const answer = await service.ask("POST", `/api/artifacts/${artifactId}/uploads`, {
    body,
    headers,
    ...(as === undefined ? {} : { as }),
  });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { url: string }).url.slice(origin.length);
}

const put = (path: string, body: string | ReadableStream | Uint8Array<ArrayBuffer>, more: object = {}) =>
  service.ask("PUT", path, { body, headers: { "content-type": "application/octet-stream" }, ...more });

/** The problem without what differs between two requests. */
async function refusalOf(response: Response) {
  const { requestId: _, ...problem } = (await response.json()) as { requestId: string };
  return { status: response.status, ...problem };
}

const isKept = async (bytes: Uint8Array | string, workspaceId = owner.workspaceId) => {
  const [row] = await service.setup.db.run<{ files: number }>(
    "SELECT count(*)::int AS files FROM workspace_file WHERE workspace_id = $1 AND sha256 = decode($2, 'hex')",
    [uuidOf("wsp", workspaceId), hashOf(bytes)],
  );
  return row?.files === 1;
};

/** Publishes a text by its hash; the code of the refusal, or `done`. */
const publishByHash = async (contentSha256: string, as = owner.token, more: object = {}) => {
  const access = { publicView: true, publicEdit: false };
  const body = {
    projectSlug,
    slug: service.setup.name("hashed"),
    type: "md",
    title: "T",
    access,
    contentSha256,
    ...more,
  };
  return service.ask("POST", "/api/artifacts", { as, body });
};

describe("a one-time URL", () => {
  test("says what it takes and until when, and keeps the file without a credential", async () => {
    const body = { sizeBytes: 100 };
    const answer = await service.ask("POST", "/api/uploads", { as: owner.token, body });
    const made = (await answer.json()) as { uploadId: string; url: string; expiresAt: string; maxBytes: number };
    expect(answer.status).toBe(201);
    expect(made.uploadId).toStartWith("upl_");
    expect(made.maxBytes).toBe(100);
    expect(new Date(made.expiresAt).getTime() - Date.now()).toBeLessThanOrEqual(uploadUrlMinutes * 60_000);
    const path = made.url.slice(origin.length);
    const kept = await put(path, "a picture");
    expect([kept.status, kept.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(await kept.json()).toEqual({
      sha256: hashOf("a picture"),
      sizeBytes: 9,
      hint: "Publish it with contentSha256 as the text, in files with a path, or with archiveSha256 as a zip of both",
    });
    const files = [{ path: "a.png", sha256: hashOf("a picture") }];
    const { latestVersion } = await service.setup.publish(owner.token, projectSlug, { files });
    expect(latestVersion).toBe(1);
  });

  test("takes an empty file, and exactly as many bytes as it says", async () => {
    expect((await put(await newUrl(1), "")).status).toBe(200);
    expect((await put(await newUrl(4), "four")).status).toBe(200);
  });

  test("used again: 404, and nothing is kept", async () => {
    const path = await newUrl();
    expect((await put(path, "once")).status).toBe(200);
    expect((await put(path, "twice")).status).toBe(404);
    expect((await put(path, "once")).status).toBe(404);
    expect(await isKept("twice")).toBe(false);
  });

  test("20 at once: one file is kept, the others get 404", async () => {
    const path = await newUrl();
    const texts = Array.from({ length: 20 }, (_, n) => `raced ${n}`);
    const statuses = await Promise.all(texts.map(async (text) => (await put(path, text)).status));
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, ...Array.from({ length: 19 }, () => 404)]);
    const kept = await Promise.all(texts.map((text) => isKept(text)));
    expect(kept).toEqual(statuses.map((status) => status === 200));
  });

  test.each([
    ["commit", 404],
    ["rollback", 200],
  ] as const)("an upload that waits for another of the same URL: %s of that is %i", async (end, status) => {
    const path = await newUrl();
    const ticket = openUploadTicket(service.setup.instance.config.secret, path.slice("/api/uploads/".length));
    const text = `waited for a ${end}`;
    await holdTransaction(service.setup.db.url, async (held) => {
      await held.run("INSERT INTO idempotency (principal, key, request, status) VALUES ('upload', $1, '', 200)", [
        ticket?.uploadId,
      ]);
      const answer = put(path, text);
      await held.untilWaitedFor(answer);
      await held[end]();
      expect((await answer).status).toBe(status);
    });
    expect(await isKept(text)).toBe(status === 200);
  });

  test("forged, expired, used, or of a creator who lost access: the same answer to the byte", async () => {
    const path = await newUrl();
    await put(path, "used");
    const forged = path.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
    const sealed = (await newUrl()).slice("/api/uploads/".length);
    const { secret } = service.setup.instance.config;
    const ticket = openUploadTicket(secret, sealed);
    if (ticket === null) throw new Error("the URL has no ticket");
    const expired = sealUploadTicket(secret, { ...ticket, expiresAt: new Date(Date.now() - 1) });
    const { apiKeyId, key = "" } = await service.setup.call(
      "apiKey.create",
      { name: "k", scopes: ["artifacts:create"] },
      { as: await service.setup.session(owner.userId) },
    );
    const revoked = await newUrl(1000, key);
    await service.setup.call("apiKey.revoke", { apiKeyId }, { as: await service.setup.session(owner.userId) });
    const paths = [path, forged, `/api/uploads/${expired}`, revoked, "/api/uploads/x", `${path}x`];
    const refusals = await Promise.all(paths.map(async (each) => refusalOf(await put(each, "lost"))));
    expect(new Set(refusals.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(refusals[0]).toMatchObject({ status: 404, code: "not_found" });
    expect(await isKept("lost")).toBe(false);
  });

  test("a member who was removed keeps nothing in the team", async () => {
    const member = await service.setup.person();
    const team = await service.setup.team({ [owner.userId]: "admin", [member.userId]: "member" });
    const make = () =>
      service.setup.call("upload.create", { ownerUsername: team.slug, sizeBytes: 9 }, { as: member.token });
    const [first, second] = [await make(), await make()];
    expect((await put((first.url ?? "").slice(origin.length), "in time")).status).toBe(200);
    expect(await isKept("in time", team.workspaceId)).toBe(true);
    await service.setup.db.run("DELETE FROM membership WHERE workspace_id = $1 AND user_id = $2", [
      uuidOf("wsp", team.workspaceId),
      uuidOf("usr", member.userId),
    ]);
    expect((await put((second.url ?? "").slice(origin.length), "too late")).status).toBe(404);
    expect(await isKept("too late", team.workspaceId)).toBe(false);
  });

  test("a key that is revoked while the file arrives keeps nothing", async () => {
    const as = await service.setup.session(owner.userId);
    const wanted = { name: "k", scopes: ["artifacts:create" as const] };
    const { apiKeyId, key = "" } = await service.setup.call("apiKey.create", wanted, { as });
    const path = await newUrl(1000, key);
    const now = performance.now.bind(performance);
    const body = new ReadableStream({
      async pull(controller) {
        await service.setup.call("apiKey.revoke", { apiKeyId }, { as });
        // A decision is valid for a moment, which is over.
        performance.now = () => now() + 60_000;
        controller.enqueue(bytesOf("late"));
        controller.close();
      },
    });
    try {
      expect((await put(path, body)).status).toBe(404);
    } finally {
      performance.now = now;
    }
    expect(await isKept("late")).toBe(false);
  });

  test("a file that is too large, declared or not, is refused, and the URL still works", async () => {
    const path = await newUrl(10);
    const declared = await put(path, "small", { headers: { "content-length": "11" } });
    expect(await refusalOf(declared)).toMatchObject({ status: 413, code: "content_too_large", limitBytes: 10 });
    const stream = new Blob(["eleven bytes"]).stream();
    expect((await put(path, stream)).status).toBe(413);
    expect(await isKept("eleven bytes")).toBe(false);
    expect((await put(path, "ten bytes.")).status).toBe(200);
  });

  test("a file that is cut off is not kept, and the URL still works", async () => {
    const path = await newUrl();
    const cut = new ReadableStream({
      pull(controller) {
        controller.enqueue(bytesOf("half"));
        controller.error(new DOMException("The connection was closed.", "AbortError"));
      },
    });
    expect((await put(path, cut)).status).toBe(400);
    expect(await isKept("half")).toBe(false);
    expect((await put(path, "whole")).status).toBe(200);
  });

  test("a compressed body is refused, and the URL still works", async () => {
    const path = await newUrl();
    expect((await put(path, "zip", { headers: { "content-encoding": "gzip" } })).status).toBe(400);
    expect((await put(path, "plain")).status).toBe(200);
  });

  test.each(["GET", "HEAD", "POST", "DELETE", "PATCH"])("%s is 404, and the URL still works", async (method) => {
    const path = await newUrl();
    expect((await service.ask(method, path, { as: owner.token })).status).toBe(404);
    expect((await put(path, method)).status).toBe(200);
  });

  test("another credential beside it changes nothing", async () => {
    const stranger = await service.setup.person();
    const session = cookieOf(await service.setup.session(stranger.userId), service.setup.instance.config);
    expect((await put(await newUrl(), "bearer", { as: stranger.token })).status).toBe(200);
    expect((await put(await newUrl(), "cookie", { headers: { cookie: session } })).status).toBe(200);
    expect([await isKept("bearer"), await isKept("cookie")]).toEqual([true, true]);
    expect(await isKept("bearer", stranger.workspaceId)).toBe(false);
  });

  test("a full storage is refused, and the URL still works", async () => {
    const free = await service.setup.person({ plan: "free" });
    const path = await newUrl(1000, free.token);
    const filler = await newUrl(1000, free.token);
    await put(filler, "filler");
    const size = (bytes: number) =>
      service.setup.db.run("UPDATE workspace_file SET size_bytes = $2 WHERE workspace_id = $1", [
        uuidOf("wsp", free.workspaceId),
        bytes,
      ]);
    await size(1_000_000_000);
    expect(await refusalOf(await put(path, "more"))).toMatchObject({ status: 403, code: "storage_limit_reached" });
    await size(6);
    expect((await put(path, "more")).status).toBe(200);
  });

  test("its ticket is in no log line", async () => {
    const seen: ServedRequest[] = [];
    const stop = on({ request: (each) => seen.push(each) });
    const path = await newUrl();
    await put(path, "logged");
    await put(path, "logged again");
    stop();
    expect(seen.map(({ route, status }) => [route, status])).toEqual([
      ["/api/uploads/:ticket", 200],
      ["/api/uploads/:ticket", 404],
    ]);
    expect(JSON.stringify(seen)).not.toContain(path.slice("/api/uploads/".length));
  });

  test("a request that is repeated with its key does not show the URL again", async () => {
    const asked = { as: owner.token, body: { sizeBytes: 1 }, headers: { "idempotency-key": "upload-once" } };
    const first = (await (await service.ask("POST", "/api/uploads", asked)).json()) as Record<string, unknown>;
    const again = (await (await service.ask("POST", "/api/uploads", asked)).json()) as Record<string, unknown>;
    expect([typeof first["url"], again["url"], again["uploadId"]]).toEqual(["string", undefined, first["uploadId"]]);
  });

  test.each([-1, 1.5, filesLimits.fileBytes + 1, "1", null])("sizeBytes %p is refused", async (sizeBytes) => {
    const answer = await service.ask("POST", "/api/uploads", { as: owner.token, body: { sizeBytes } });
    expect(await refusalOf(answer)).toMatchObject({ status: 400, errors: [{ path: "sizeBytes" }] });
  });

  test("uploads count against the limit of files", async () => {
    const limited = await createService({ rateLimits: { reads: 1, writes: 100 } });
    try {
      const { token } = await limited.setup.person();
      const statuses: number[] = [];
      for (let n = 0; n < 11; n++) {
        const { url = "" } = await limited.setup.call("upload.create", { sizeBytes: 9 }, { as: token });
        const headers = { "content-type": "text/plain" };
        statuses.push((await limited.ask("PUT", url.slice(origin.length), { body: `${n}`, headers })).status);
      }
      expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
    } finally {
      await limited.close();
    }
  });
});

describe("editors of one artifact", () => {
  test("upload by a share link, and publish what they uploaded alone", async () => {
    await put(await newUrl(), "a secret of the workspace");
    const access = { publicView: false, publicEdit: false };
    const { artifactId } = await service.setup.publish(owner.token, projectSlug, { access });
    const link = await service.setup.call("shareLink.create", { artifactId, role: "editor" }, { as: owner.token });
    const guest = await service.setup.person();
    const headers = { "x-share-token": link.token ?? "" };
    expect((await put(await newUrlOf(artifactId, headers, guest.token), "by the guest")).status).toBe(200);
    const update = (contentSha256: string) =>
      service.ask("POST", `/api/artifacts/${artifactId}/versions`, {
        as: guest.token,
        headers,
        body: { contentSha256 },
      });
    expect((await update(hashOf("by the guest"))).status).toBe(201);
    const [hidden, unknown] = await Promise.all(
      ["a secret of the workspace", "never uploaded"].map(async (text) => refusalOf(await update(hashOf(text)))),
    );
    expect(hidden).toEqual(unknown);
    expect(hidden).toMatchObject({ status: 400, errors: [{ path: "contentSha256" }] });
    const text = await service.ask("GET", `/api/artifacts/${artifactId}/content`, { as: owner.token });
    expect(await text.text()).toBe("by the guest");
  });

  test("a URL of a link that was revoked is 404", async () => {
    const access = { publicView: false, publicEdit: false };
    const { artifactId } = await service.setup.publish(owner.token, projectSlug, { access });
    const link = await service.setup.call("shareLink.create", { artifactId, role: "editor" }, { as: owner.token });
    const guest = await service.setup.person();
    const path = await newUrlOf(artifactId, { "x-share-token": link.token ?? "" }, guest.token);
    await service.setup.call("shareLink.revoke", { shareLinkId: link.shareLinkId }, { as: owner.token });
    expect((await put(path, "too late")).status).toBe(404);
  });

  test("a viewer's link makes no URL", async () => {
    const { artifactId } = await service.setup.publish(owner.token, projectSlug);
    const link = await service.setup.call("shareLink.create", { artifactId, role: "viewer" }, { as: owner.token });
    const guest = await service.setup.person();
    const headers = { "x-share-token": link.token ?? "" };
    const asked = { as: guest.token, headers, body: { sizeBytes: 1 } };
    expect((await service.ask("POST", `/api/artifacts/${artifactId}/uploads`, asked)).status).toBe(403);
  });
});

describe("a text by the hash of an uploaded file", () => {
  const uploaded = async (bytes: Uint8Array<ArrayBuffer> | string, as = owner.token) => {
    expect((await put(await newUrl(100_000, as), bytes)).status).toBe(200);
    return hashOf(bytes);
  };

  test("is published byte for byte, its byte order mark included, and then updated", async () => {
    const text = "\uFEFF# Überschrift\r\n\n🪶\n";
    const answer = await publishByHash(await uploaded(text));
    expect(answer.status).toBe(201);
    const { artifactId } = (await answer.json()) as { artifactId: string };
    const read = async () =>
      hashOf(
        new Uint8Array(
          await (await service.ask("GET", `/api/artifacts/${artifactId}/content`, { as: owner.token })).arrayBuffer(),
        ),
      );
    expect(await read()).toBe(hashOf(text));
    const contentSha256 = await uploaded("# Second\n");
    const version = await service.setup.call("version.create", { artifactId, contentSha256 }, { as: owner.token });
    expect([version.versionNumber, version.sha256]).toEqual([2, hashOf("# Second\n")]);
    expect(await read()).toBe(hashOf("# Second\n"));
  });

  test("is published once with an Idempotency-Key, jsx included", async () => {
    const contentSha256 = await uploaded("export default () => <p>Hello</p>;\n");
    const body = { projectSlug, slug: service.setup.name("jsx"), type: "jsx", title: "T", contentSha256 };
    const access = { publicView: true, publicEdit: false };
    const asked = { as: owner.token, body: { ...body, access }, headers: { "idempotency-key": "by-hash" } };
    const [one, other] = [
      await service.ask("POST", "/api/artifacts", asked),
      await service.ask("POST", "/api/artifacts", asked),
    ];
    expect([one.status, other.status]).toEqual([201, 201]);
    expect(await one.json()).toEqual(await other.json());
  });

  test("jsx that does not compile is refused as if it was sent", async () => {
    const refused = await publishByHash(await uploaded("export default () => <p"), owner.token, { type: "jsx" });
    expect(await refusalOf(refused)).toMatchObject({ status: 400, code: "invalid_source" });
  });

  test("costs one statement more; a text that is sent costs none", async () => {
    const { artifactId } = await service.setup.publish(owner.token, projectSlug);
    const contentSha256 = await uploaded("counted");
    const statements = (given: object) =>
      service.setup.statementsOf(() =>
        service.setup.answer("version.create", { artifactId, ...given }, { as: owner.token }),
      );
    expect([await statements({ content: "sent" }), await statements({ contentSha256 })]).toEqual([2, 3]);
  });

  test("another workspace's file is unknown", async () => {
    const stranger = await service.setup.person();
    const theirs = await uploaded("theirs", stranger.token);
    const [hidden, unknown] = [await publishByHash(theirs), await publishByHash(hashOf("nobody's"))];
    const refused = await refusalOf(hidden);
    expect(refused).toEqual(await refusalOf(unknown));
    expect(refused).toMatchObject({
      code: "invalid_request",
      errors: [{ path: "contentSha256", message: "is not the hash of an uploaded file" }],
    });
  });

  test.each([
    ["no UTF-8", Uint8Array.of(0xff, 0xfe, 0x41), "is the hash of a file that is not UTF-8 text"],
    ["half of a character", Uint8Array.of(0x41, 0xf0, 0x9f), "is the hash of a file that is not UTF-8 text"],
    ["a surrogate", Uint8Array.of(0xed, 0xa0, 0x80), "is the hash of a file that is not UTF-8 text"],
    ["NUL", Uint8Array.of(0x41, 0, 0x42), "is the hash of a file that contains NUL"],
  ])("%s is refused", async (_name, bytes, message) => {
    const refused = await publishByHash(await uploaded(bytes));
    expect(await refusalOf(refused)).toMatchObject({ status: 400, errors: [{ path: "contentSha256", message }] });
  });

  test("one that is larger than a text may be is refused as if it was sent", async () => {
    const { maxContentBytes } = service.setup.instance.config;
    const large = "x".repeat(maxContentBytes + 1);
    const byHash = await refusalOf(await publishByHash(await uploaded(large)));
    const sent = await publishByHash("", owner.token, { content: large, contentSha256: undefined });
    expect(byHash).toEqual(await refusalOf(sent));
    expect(byHash).toMatchObject({ status: 413, limitBytes: maxContentBytes });
    expect((await publishByHash(await uploaded("x".repeat(maxContentBytes)))).status).toBe(201);
  });

  test.each([
    [{ content: "both" }, "contentSha256", "cannot be sent together with content"],
    [{ contentSha256: undefined }, "content", "is required, or contentSha256 or archiveSha256"],
    [
      { contentSha256: "ABC" },
      "contentSha256",
      "has the wrong form: SHA-256 of an uploaded file with the source text, instead of `content`",
    ],
  ])("%p is refused", async (more, path, message) => {
    const refused = await publishByHash(hashOf("x"), owner.token, more);
    expect(await refusalOf(refused)).toMatchObject({ status: 400, errors: [{ path, message }] });
  });
});
