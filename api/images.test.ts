// A document and its images of other sites, as a reader gets them: waiting, then kept; and the images themselves.
import { afterAll, beforeAll, expect, setDefaultTimeout, setSystemTime, test } from "bun:test";

import { headsRendered } from "@plinth/domain/jobs/render-heads";
import { runJob } from "@plinth/domain/jobs/run";
import { startImageSite, type ImageSite } from "@plinth/domain/images/test/image-site";
import type { Config } from "@plinth/domain/config";
import type { TestPerson } from "@plinth/domain/test/context";
import { closeThreads } from "@plinth/domain/threads/pool";

import { createService, type Service } from "./test/service.ts";

setDefaultTimeout(60_000);

let site: ImageSite;
let service: Service;
let owner: TestPerson;
let project: string;
beforeAll(async () => {
  site = startImageSite();
  service = await createService({ remoteImages: true });
  owner = await service.setup.person();
  project = (await service.setup.project(owner.token)).slug;
});
afterAll(async () => {
  await closeThreads();
  await service.close();
  await site.close();
});

type DocumentType = "md" | "html";

const publish = (type: DocumentType, content: string) => service.setup.publish(owner.token, project, { type, content });

/** Names an image of the site, beside a text that no other document has. */
const sourceOf = (type: DocumentType, ...paths: string[]) =>
  `<p>${crypto.randomUUID()}</p>\n\n` +
  paths
    .map((path) =>
      type === "md" ? `![Chart](${site.origin}${path})` : `<img alt="Chart" src="${site.origin}${path}">`,
    )
    .join("\n");

const steady = ({ artifactId }: { artifactId: string }, version = 1) => `/_content/p/${artifactId}/${version}`;

async function read(path: string, headers: Record<string, string> = {}, by: Pick<Service, "ask"> = service) {
  const response = await by.ask("GET", path, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const hostOf = (changed: Partial<Config> = {}) => {
  const { db, instance } = service.setup;
  return {
    db,
    config: { ...instance.config, ...changed },
    billing: null,
    renderer: null,
    fetchUrl: site.fetchUrl,
  };
};

const run = (artifactId: string, versionNumber = 1, isLastTry = false): Promise<void> =>
  runJob(hostOf(), "images", { artifactId, versionNumber }, "job_x", isLastTry);

const askedFor = async (): Promise<string[]> => {
  const rows = await service.setup.db.run<{ payload: { artifactId: string } }>(
    "SELECT payload FROM outbox WHERE kind = 'images' ORDER BY job_id",
  );
  return rows.map(({ payload }) => payload.artifactId);
};

const address = /\/_images\/[0-9a-f]{64}/;
const addressIn = (text: string): string => address.exec(text)?.[0] ?? "";

for (const type of ["md", "html"] as const)
  test(`${type}: a document waits for its images and then has them from this instance`, async () => {
    const artifact = await publish(type, sourceOf(type, "/large.png"));
    const pending = await read(steady(artifact));
    expect(pending.text).toContain('<meta http-equiv="refresh" content="3">');
    expect(pending.text).toContain(
      type === "md" ? 'title="The image is being fetched">Chart' : "Fetching an image. This",
    );
    expect([pending.headers.get("etag"), pending.headers.get("cache-control")]).toEqual([null, "private, no-store"]);
    const allowlist = pending.headers.get("connection-allowlist") ?? "";
    expect([...allowlist.matchAll(/[^"]*_content[^"]*/g)].flat()).toEqual([`http://plinth.test${steady(artifact)}`]);
    await run(artifact.artifactId);

    const done = await read(steady(artifact));
    expect(done.text).not.toContain("refresh");
    expect(done.text).toMatch(new RegExp(`<img[^>]* src="${address.source}"`));
    expect(done.text).not.toContain(`src="${site.origin}`);
    if (type === "md") expect(done.text).toContain(' alt="Chart" width="800" height="600" loading="lazy">');
    expect(done.headers.get("content-security-policy")).toMatch(/img-src [^;]*http:\/\/plinth\.test\/_images\/(?:;| )/);
    expect(done.headers.get("content-security-policy")).not.toContain(site.host);
    expect(done.headers.get("connection-allowlist")).toContain('"http://plinth.test/_images/*"');
    const etag = done.headers.get("etag") ?? "";
    const unchanged = await read(steady(artifact), { "if-none-match": etag });
    expect([unchanged.status, unchanged.headers.get("etag")]).toEqual([304, etag]);
    // Without a policy the reader's own stays: it names images of the instance, which only the rendering knows.
    const policy = type === "md" ? null : done.headers.get("content-security-policy");
    expect(unchanged.headers.get("content-security-policy")).toBe(policy);

    const file = await service.ask("GET", addressIn(done.text));
    expect([file.status, (await file.bytes()).length]).toEqual([200, 29]);
    expect(Object.fromEntries(file.headers)).toMatchObject({
      "content-type": "image/png",
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
      "cache-control": "private, max-age=31536000, immutable",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
    });
  });

test("the source stays as it was published", async () => {
  const source = sourceOf("md", "/pixel.png");
  const { artifactId } = await publish("md", source);
  await run(artifactId);
  expect(await (await service.ask("GET", `/api/artifacts/${artifactId}/content`)).text()).toBe(source);
});

test("a head is asked for once: by its job, and by readers while it has no lock", async () => {
  const { db } = service.setup;
  for (const type of ["md", "html"] as const) {
    const artifact = await publish(type, sourceOf(type, "/pixel.png"));
    const none = await publish(type, `no image ${crypto.randomUUID()}`);
    await db.run("DELETE FROM outbox");
    const heads = { artifactIds: [artifact.artifactId, none.artifactId] };
    await runJob(hostOf(), "head", heads, "job_x");
    await headsRendered();
    // Whether html has images is known once it has been parsed.
    const asked = [...(type === "md" ? [artifact] : [artifact, none])].map(({ artifactId }) => artifactId);
    expect((await askedFor()).toSorted()).toEqual(asked.toSorted());
    await db.run("DELETE FROM outbox");
    for (let reader = 0; reader < 3; reader++) await read(steady(artifact));
    expect(await askedFor()).toEqual([artifact.artifactId]);
    for (const { artifactId } of [artifact, none]) await run(artifactId);
    await db.run("DELETE FROM outbox");
    await runJob(hostOf(), "head", heads, "job_x");
    await headsRendered();
    await read(steady(artifact));
    expect(await askedFor()).toEqual([]);
  }
});

test("a markdown head that is rendered already is asked for all the same", async () => {
  const source = sourceOf("md", "/pixel.png");
  await read(steady(await publish("md", source)));
  const again = await publish("md", source);
  await service.setup.db.run("DELETE FROM outbox");
  await runJob(hostOf(), "head", { artifactIds: [again.artifactId] }, "job_x");
  await headsRendered();
  expect(await askedFor()).toEqual([again.artifactId]);
});

test("readers wait for half a minute at most", async () => {
  for (const type of ["md", "html"] as const) {
    const artifact = await publish(type, sourceOf(type, "/pixel.png"));
    expect((await read(steady(artifact))).text).toContain("refresh");
    setSystemTime(Date.now() + 31_000);
    try {
      const shown = await read(steady(artifact));
      expect(shown.text).not.toContain("refresh");
      expect(shown.text).toContain('title="The image is being fetched"');
      expect([shown.headers.get("etag"), shown.headers.get("cache-control")]).toEqual([null, "private, no-store"]);
      expect(shown.headers.get("connection-allowlist")).toContain(`"http://plinth.test${steady(artifact)}"`);
    } finally {
      setSystemTime();
    }
  }
});

test("a missing image is a pill that says why, and comes with a later attempt", async () => {
  for (const type of ["md", "html"] as const) {
    const artifact = await publish(type, sourceOf(type, "/pixel.png", "/gone.png"));
    site.setAway(true);
    expect(await run(artifact.artifactId).catch((error: unknown) => error)).toBeInstanceOf(Error);
    const partly = await read(steady(artifact));
    expect(partly.text).toContain(`title="${site.host} answered with status 503"`);
    expect([partly.headers.get("etag"), partly.text.includes("refresh")]).toEqual([null, false]);
    site.setAway(false);
    await run(artifact.artifactId);
    const done = await read(steady(artifact));
    expect(done.text).toContain(`title="${site.host} answered with status 404"`);
    expect([addressIn(done.text) !== "", typeof done.headers.get("etag")]).toEqual([true, "string"]);
  }
});

test("after the last attempt a document is final, also where images are missing", async () => {
  const artifact = await publish("md", sourceOf("md", "/pixel.png"));
  site.setAway(true);
  await run(artifact.artifactId, 1, true);
  site.setAway(false);
  const before = site.requests.length;
  await run(artifact.artifactId);
  const { headers, text } = await read(steady(artifact));
  expect([site.requests.length - before, typeof headers.get("etag")]).toEqual([0, "string"]);
  expect(text).toContain(`title="${site.host} answered with status 503"`);
  expect(headers.get("content-security-policy")).not.toContain("_images");
});

test("a document without images of other sites takes no statement more, nor does one that is held", async () => {
  const statementsOf = async (source: string, type: DocumentType, isOn: boolean) => {
    const artifact = await publish(type, source);
    const { instance } = service.setup;
    const by = { ask: service.askOf({ ...instance, config: { ...instance.config, remoteImages: isOn } }) };
    if (type === "html") await run(artifact.artifactId);
    const first = await read(steady(artifact), {}, by);
    const held = { "if-none-match": first.headers.get("etag") ?? "" };
    const counts: number[] = [];
    for (const headers of [{}, held])
      counts.push(await service.setup.statementsOf(() => read(steady(artifact), headers, by)));
    return counts;
  };
  for (const type of ["md", "html"] as const) {
    const plain = () => `plain ${crypto.randomUUID()} ![a](own.png)`;
    expect(await statementsOf(plain(), type, true)).toEqual(await statementsOf(plain(), type, false));
  }
  const artifact = await publish("md", sourceOf("md", "/pixel.png"));
  await run(artifact.artifactId);
  await read(steady(artifact));
  const plain = await publish("md", "plain");
  await read(steady(plain));
  const counts = [artifact, plain].map((each) => () => read(steady(each)));
  const [withImages, without] = [
    await service.setup.statementsOf(counts[0] as () => Promise<unknown>),
    await service.setup.statementsOf(counts[1] as () => Promise<unknown>),
  ];
  expect(withImages).toBe(without);
});

test("publishing takes no statement more", async () => {
  const statements = async (source: string) => service.setup.statementsOf(() => publish("md", source));
  await statements("warm");
  expect(await statements(sourceOf("md", "/pixel.png"))).toBe(await statements(`plain ${crypto.randomUUID()}`));
});

test("where remote images are off nothing is fetched, and what is kept is shown", async () => {
  const { instance } = service.setup;
  const by = { ask: service.askOf({ ...instance, config: { ...instance.config, remoteImages: false } }) };
  const before = site.requests.length;
  for (const type of ["md", "html"] as const) {
    const artifact = await publish(type, sourceOf(type, "/pixel.png"));
    await service.setup.db.run("DELETE FROM outbox");
    await runJob(hostOf({ remoteImages: false }), "head", { artifactIds: [artifact.artifactId] }, "job_x");
    await headsRendered();
    await runJob(
      hostOf({ remoteImages: false }),
      "images",
      { artifactId: artifact.artifactId, versionNumber: 1 },
      "job_x",
    );
    const off = await read(steady(artifact), {}, by);
    expect([off.text.includes("refresh"), off.text.includes("_images"), await askedFor()]).toEqual([false, false, []]);
    if (type === "md") expect(off.text).toContain('title="This instance fetches no images of other sites"');
    const held = { "if-none-match": off.headers.get("etag") ?? "" };
    expect((await read(steady(artifact), held, by)).status).toBe(304);
    expect(site.requests.length).toBe(before + (type === "md" ? 0 : 1));
    // Turned on again, what a reader holds is not current.
    expect((await read(steady(artifact), held)).status).toBe(200);
    await run(artifact.artifactId);
    expect((await read(steady(artifact), held, by)).text).toMatch(address);
  }
});

test("a private document's image has an address that its bytes do not tell, and no other document has", async () => {
  const access = { publicView: false, publicEdit: false };
  const [one, other] = await Promise.all(
    [1, 2].map(() => service.setup.publish(owner.token, project, { content: sourceOf("md", "/pixel.png"), access })),
  );
  if (one === undefined || other === undefined) throw new Error("nothing was published");
  const texts: string[] = [];
  for (const { artifactId } of [one, other]) {
    await run(artifactId);
    const { url } = await service.setup.call("artifact.ticket", { artifactId }, { as: owner.token });
    texts.push((await read(new URL(url).pathname)).text);
    expect((await read(steady({ artifactId }))).status).toBe(404);
  }
  const [first = "", second = ""] = texts.map(addressIn);
  expect([first === second, address.test(first), address.test(second)]).toEqual([false, true, true]);
  const hash = new Bun.CryptoHasher("sha256").update(await (await service.ask("GET", first)).bytes()).digest("hex");
  expect((await read(`/_images/${hash}`)).status).toBe(404);
});

test("a draft shows pills and fetches nothing", async () => {
  const before = site.requests.length;
  const { url } = await service.setup.call(
    "workspace.draftTicket",
    { workspaceId: owner.workspaceId },
    { as: owner.token },
  );
  for (const type of ["md", "html"] as const) {
    const form = new URLSearchParams({ type, content: sourceOf(type, "/pixel.png"), title: "T", projectSlug: project });
    const response = await service.ask("POST", new URL(url).pathname, {
      body: new TextEncoder().encode(form.toString()),
      headers: { "content-type": "application/x-www-form-urlencoded", origin: "http://plinth.test" },
    });
    expect(await response.text()).toContain('title="Images of other sites are fetched after publishing"');
  }
  expect([site.requests.length, await askedFor()]).toEqual([before, await askedFor()]);
});

test("nothing else is served there", async () => {
  for (const path of ["0".repeat(64), "x", "A".repeat(64), `${"0".repeat(64)}/a`, "..%2fa"])
    expect([path, (await read(`/_images/${path}`)).status]).toEqual([path, 404]);
});
