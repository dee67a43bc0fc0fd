// The number of database statements on the hot paths: this test sets the limit.
import { afterAll, beforeAll, expect, test } from "bun:test";

import type { PublicRow } from "@plinth/domain/access/public-rows";
import { connect } from "@plinth/db/connection";
import { countRoundTrips } from "@plinth/db/test/round-trips";
import { createInstance } from "@plinth/domain/instance";
import { createLoneLeases } from "@plinth/domain/leases/leases";
import { processClock } from "@plinth/domain/leases/protocol";
import { emptyQueue } from "@plinth/domain/test/context";
import { captureLatestVersion } from "@plinth/domain/thumbnails/capture";
import { testRenderer } from "@plinth/domain/thumbnails/test/renderer";
import { closeThreads } from "@plinth/domain/threads/pool";

import { cookieOf, createService, type Service } from "./test/service.ts";

let service: Service;
let token: string;
let userId: string;
let project: { slug: string; ownerUsername: string };
let artifact: { artifactId: string; slug: string };

beforeAll(async () => {
  service = await createService();
  ({ token, userId } = await service.setup.person());
  project = await service.setup.project(token);
  artifact = await service.setup.publish(token, project.slug);
});
afterAll(async () => {
  await closeThreads();
  await service.close();
});

const contentOf = ({ artifactId }: { artifactId: string }) => `/api/artifacts/${artifactId}/content`;

async function expectStatus(status: number, answer: Promise<Response>): Promise<Response> {
  const response = await answer;
  await response.bytes();
  expect(response.status).toBe(status);
  return response;
}

test("content is one statement, whether its bytes are held or not", async () => {
  const fresh = await service.setup.publish(token, project.slug, { content: "Not read yet" });
  for (const _ of ["not held", "held"]) {
    expect(await service.setup.statementsOf(() => expectStatus(200, service.ask("GET", contentOf(fresh))))).toBe(1);
  }
});

test("a document at its steady address is kept compressed, and its access is still asked of the database", async () => {
  const { artifactId } = await service.setup.publish(token, project.slug, { content: "# Kept\n\nA text." });
  const path = `/_content/p/${artifactId}/1`;
  const coded = { headers: { "accept-encoding": "br" } };
  const plain = await expectStatus(200, service.ask("GET", path));
  for (const headers of [{}, { "if-none-match": plain.headers.get("etag") ?? "" }] as const) {
    const read = () => service.ask("GET", path, { headers: { ...coded.headers, ...headers } });
    expect(await service.setup.statementsOf(() => expectStatus("if-none-match" in headers ? 304 : 200, read()))).toBe(
      1,
    );
  }
  const br = await service.ask("GET", path, coded);
  expect([br.headers.get("content-encoding"), br.headers.get("vary")]).toEqual(["br", "Accept-Encoding"]);
  await service.setup.call(
    "access.update",
    { artifactId, publicView: false, publicEdit: false, viewerEmails: [] },
    { as: token },
  );
  await expectStatus(404, service.ask("GET", path, coded));
});

test("a title that changes is another document for the next reader", async () => {
  const { artifactId } = await service.setup.publish(token, project.slug, { content: "A text", title: "Before" });
  const path = `/_content/p/${artifactId}/1`;
  const before = await service.ask("GET", path);
  expect(await before.text()).toContain("Before");
  await service.setup.call("artifact.patch", { artifactId, title: "After" }, { as: token });
  const after = await service.ask("GET", path);
  expect(await after.text()).toContain("After");
  expect(after.headers.get("etag")).not.toBe(before.headers.get("etag"));
});

test("equal reads of one moment share a statement and one result, and a later one reads again", async () => {
  const { artifactId, slug } = await service.setup.publish(token, project.slug, { content: "Read by many" });
  const paths = [`/api/artifacts/${artifactId}`, `/api/by-path/${project.ownerUsername}/${project.slug}/${slug}`];
  for (const path of paths) {
    const readers = async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => service.ask("GET", path)));
      return Promise.all(answers.map((answer) => answer.json() as Promise<{ title: string; latestVersion: number }>));
    };
    expect(await service.setup.statementsOf(readers)).toBe(1);
    const title = `Title of ${path.length}`;
    await service.setup.call("artifact.patch", { artifactId, title }, { as: token });
    expect((await readers()).map((read) => read.title)).toEqual(Array.from({ length: 8 }, () => title));
  }
});

test("a document is one statement once it has been shown, and so is its source view", async () => {
  const { artifactId } = await service.setup.publish(token, project.slug, { content: "# Shown twice" });
  for (const view of ["", "/source"]) {
    const read = () => expectStatus(200, service.ask("GET", `/_content/p/${artifactId}/1${view}`));
    expect(await service.setup.statementsOf(read)).toBe(3);
    expect(await service.setup.statementsOf(read)).toBe(1);
  }
});

test("a screenshot takes one statement, and so does a placeholder", async () => {
  const path = `/api/artifacts/${artifact.artifactId}/thumbnail`;
  expect(await service.setup.statementsOf(() => expectStatus(200, service.ask("GET", path)))).toBe(1);
  const { db, instance } = service.setup;
  await captureLatestVersion({ db, config: instance.config, renderer: testRenderer() }, artifact.artifactId, false);
  for (const as of [undefined, token])
    expect(
      await service.setup.statementsOf(() =>
        expectStatus(200, service.ask("GET", path, as === undefined ? {} : { as })),
      ),
    ).toBe(1);
});

test("content with a credential is one statement", async () => {
  expect(
    await service.setup.statementsOf(() => expectStatus(200, service.ask("GET", contentOf(artifact), { as: token }))),
  ).toBe(1);
});

test("a session, an agent and a login cost one statement as well, and none is written", async () => {
  const { setup } = service;
  const session = await setup.session(userId);
  const agent = await setup.call("agent.create", { name: "a", scopes: ["artifacts:read"] }, { as: session });
  const cookie = cookieOf(session, setup.instance.config);
  for (const asked of [{ headers: { cookie } }, { as: agent.token ?? "" }]) {
    expect(
      await service.setup.statementsOf(() => expectStatus(200, service.ask("GET", contentOf(artifact), asked))),
    ).toBe(1);
    expect(
      await service.setup.statementsOf(() => expectStatus(200, service.ask("GET", "/api/profile/me", asked))),
    ).toBe(1);
  }
});

test("content by a share link is one statement, beside a session, beside a key and alone", async () => {
  const { setup } = service;
  const access = { publicView: false, publicEdit: false };
  const hidden = await setup.publish(token, project.slug, { access });
  const link = await setup.call("shareLink.create", { artifactId: hidden.artifactId, role: "viewer" }, { as: token });
  const stranger = await setup.person();
  const cookie = cookieOf(await setup.session(stranger.userId), setup.instance.config);
  const shared = { "x-share-token": link.token ?? "" };
  for (const asked of [
    { headers: shared },
    { headers: { ...shared, cookie } },
    { headers: shared, as: stranger.token },
  ]) {
    expect(
      await service.setup.statementsOf(() => expectStatus(200, service.ask("GET", contentOf(hidden), asked))),
    ).toBe(1);
  }
  const etag = (await service.ask("GET", contentOf(hidden), { headers: shared })).headers.get("etag") ?? "";
  const headers = { ...shared, "if-none-match": etag };
  expect(
    await service.setup.statementsOf(() => expectStatus(304, service.ask("GET", contentOf(hidden), { headers }))),
  ).toBe(1);
});

test("content that has not changed is one statement: access is checked again", async () => {
  const etag = (await service.ask("GET", contentOf(artifact))).headers.get("etag") ?? "";
  const headers = { "if-none-match": etag };
  expect(
    await service.setup.statementsOf(() => expectStatus(304, service.ask("GET", contentOf(artifact), { headers }))),
  ).toBe(1);
});

test("an artifact by its path is one statement", async () => {
  const path = `/api/by-path/${project.ownerUsername}/${project.slug}/${artifact.slug}`;
  expect(await service.setup.statementsOf(() => expectStatus(200, service.ask("GET", path)))).toBe(1);
});

test("with a lease a public read is no statement: content, a document, the artifact by its path, and 304", async () => {
  // The clock stands still, so that no row ends or is renewed on a busy machine.
  const leases = createLoneLeases<PublicRow>({ ...processClock, now: () => 0 });
  const instance = createInstance({ ...service.setup.instance, leases });
  const ask = service.askOf(instance);
  const published = await service.setup.publish(token, project.slug, { content: "# Leased" });
  const etag = (await service.ask("GET", contentOf(published))).headers.get("etag") ?? "";
  const byPath = `/api/by-path/${project.ownerUsername}/${project.slug}/${published.slug}`;
  const reads = [
    () => expectStatus(200, ask("GET", contentOf(published))),
    () => expectStatus(304, ask("GET", contentOf(published), { headers: { "if-none-match": etag } })),
    () => expectStatus(200, ask("GET", byPath)),
    () => expectStatus(200, ask("GET", `${byPath}?withFiles=true`)),
    () => expectStatus(200, ask("GET", `/_content/p/${published.artifactId}/1`)),
  ];
  for (const read of reads) await read();
  for (const read of reads) expect(await service.setup.statementsOf(read)).toBe(0);
  // A credential is asked of the database, and so is everything after a change.
  const asOwner = () => expectStatus(200, ask("GET", contentOf(published), { as: token }));
  expect(await service.setup.statementsOf(asOwner)).toBe(1);
  const access = { publicView: false, publicEdit: false, viewerEmails: [] };
  await expectStatus(200, ask("PATCH", `/api/artifacts/${published.artifactId}/access`, { as: token, body: access }));
  for (const address of [contentOf(published), byPath, `/_content/p/${published.artifactId}/1`])
    expect(await service.setup.statementsOf(() => expectStatus(404, ask("GET", address)))).toBe(1);
});

test("publishing is two statements: one that authorizes and one that writes", async () => {
  const access = { publicView: true, publicEdit: false };
  const body = { projectSlug: project.slug, slug: "published", type: "md", title: "T", content: "# One", access };
  expect(
    await service.setup.statementsOf(() =>
      expectStatus(201, service.ask("POST", "/api/artifacts", { as: token, body })),
    ),
  ).toBe(2);
});

test("a new version is two statements", async () => {
  const path = `/api/artifacts/${artifact.artifactId}/versions`;
  const body = { content: "# Two" };
  expect(
    await service.setup.statementsOf(() => expectStatus(201, service.ask("POST", path, { as: token, body }))),
  ).toBe(2);
});

test("a publish and a new version are two round trips each", async () => {
  const trips = await countRoundTrips(service.setup.db.url);
  // One connection, so that each statement is prepared once.
  const db = connect({ url: trips.url, max: 1 });
  try {
    const ask = service.askOf(createInstance({ config: service.setup.instance.config, db, queue: emptyQueue }));
    const access = { publicView: true, publicEdit: false };
    const publish = (n: number) => {
      const body = { projectSlug: project.slug, slug: `trips-${n}`, type: "md", title: "T", content: `# ${n}`, access };
      return expectStatus(201, ask("POST", "/api/artifacts", { as: token, body }));
    };
    const append = (n: number) =>
      expectStatus(
        201,
        ask("POST", `/api/artifacts/${artifact.artifactId}/versions`, { as: token, body: { content: `# Trip ${n}` } }),
      );
    for (const write of [publish, append]) {
      await write(1);
      const before = trips.count();
      await write(2);
      expect(trips.count() - before).toBe(2);
    }
  } finally {
    await db.close();
    await trips.close();
  }
});

test("reads that arrive together share statements", async () => {
  const artifacts = await Promise.all(Array.from({ length: 32 }, () => service.setup.publish(token, project.slug)));
  const all = () => Promise.all(artifacts.map((one) => expectStatus(200, service.ask("GET", contentOf(one)))));
  expect(await service.setup.statementsOf(all)).toBeLessThanOrEqual(4);
});

test("publishes that arrive together share statements", async () => {
  const publishing = Array.from({ length: 32 }, (_, n) => {
    const access = { publicView: true, publicEdit: false };
    const body = {
      projectSlug: project.slug,
      slug: `together-${n}`,
      type: "md",
      title: "T",
      content: `# ${n}`,
      access,
    };
    return () => expectStatus(201, service.ask("POST", "/api/artifacts", { as: token, body }));
  });
  expect(
    await service.setup.statementsOf(() => Promise.all(publishing.map((publish) => publish()))),
  ).toBeLessThanOrEqual(16);
});
