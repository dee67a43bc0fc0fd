// An html document and its packages, as a reader gets them: waiting, then with kept files; and the files themselves.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import { runJob } from "@plinth/domain/jobs/run";
import { startRegistry, type TestRegistry } from "@plinth/support/package-registry";
import type { TestPerson } from "@plinth/domain/test/context";
import { closeThreads } from "@plinth/domain/threads/pool";

import { createService, type Service } from "./test/service.ts";

setDefaultTimeout(60_000);

let registry: TestRegistry;
let service: Service;
let owner: TestPerson;
let project: string;
beforeAll(async () => {
  registry = await startRegistry();
  await registry.publish("chart", "4.4.0", { "dist/chart.js": 'import "./part.js";', "dist/part.js": "export {};" });
  await registry.publish("chart", "4.4.1", { "dist/chart.js": "newer" });
  await registry.publish("dial", "1.0.0", {
    "index.js": 'import { useState } from "react"; export const useDial = () => useState("dial 1");',
    "dial.css": ".dial { color: red }",
  });
  service = await createService({ packageRegistry: registry.url });
  owner = await service.setup.person();
  project = (await service.setup.project(owner.token)).slug;
});
afterAll(async () => {
  await closeThreads();
  await service.close();
  await registry.close();
});

const chart = (range: string) => `https://unpkg.com/chart@${range}/dist/chart.js`;
const page = (...urls: string[]) =>
  `<!doctype html><title>T</title>${urls.map((url) => `<script type="module" src="${url}"></script>`).join("")}`;

const publish = (content: string, type: "html" | "jsx" = "html") =>
  service.setup.publish(owner.token, project, { type, content });

async function read(path: string, by: Pick<Service, "ask"> = service) {
  const response = await by.ask("GET", path);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const steady = ({ artifactId }: { artifactId: string }, version = 1) => `/_content/p/${artifactId}/${version}`;

function run(artifactId: string, versionNumber = 1, packageRegistry: string | null = registry.url): Promise<void> {
  const { db, instance } = service.setup;
  const host = { db, config: { ...instance.config, packageRegistry }, billing: null, renderer: null };
  return runJob(host, "packages", { artifactId, versionNumber }, "job_x");
}

const runHead = (artifactId: string): Promise<void> => {
  const { db, instance } = service.setup;
  const host = { db, config: instance.config, billing: null, renderer: null };
  return runJob(host, "head", { artifactIds: [artifactId] }, "job_x");
};

const waitingLocks = async () => {
  const rows = await service.setup.db.run<{ payload: { artifactId: string } }>(
    "SELECT payload FROM outbox WHERE kind = 'packages'",
  );
  return rows.map(({ payload }) => payload.artifactId);
};

test("a document waits for its packages and then has them from this instance", async () => {
  const artifact = await publish(page(chart("4.4.0")));
  const pending = await read(steady(artifact));
  expect(pending.text).toContain("Fetching a package. This page updates by itself.");
  expect([pending.headers.get("etag"), pending.headers.get("cache-control")]).toEqual([null, "private, no-store"]);
  await run(artifact.artifactId);
  const done = await read(steady(artifact));
  const [, address = ""] = /src="(\/_packages\/[0-9a-f]{64}\/dist\/chart\.js)"/.exec(done.text) ?? [];
  expect(done.text).not.toContain("unpkg.com");
  expect(done.headers.get("content-security-policy")).toMatch(
    /script-src [^;]*http:\/\/plinth\.test\/_packages\/(?:;| )/,
  );
  expect(done.headers.get("connection-allowlist")).toContain('"http://plinth.test/_packages/*"');
  expect(done.headers.get("etag")).toBeString();
  const file = await read(address);
  expect([file.status, file.text]).toEqual([200, 'import "./part.js";']);
  expect(Object.fromEntries(file.headers)).toMatchObject({
    "content-type": "text/javascript; charset=utf-8",
    "access-control-allow-origin": "*",
    "cross-origin-resource-policy": "cross-origin",
    "cache-control": "public, max-age=31536000, immutable",
    "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
  });
  expect((await read(new URL("./part.js", `http://plinth.test${address}`).pathname)).text).toBe("export {};");
});

test("style sheets, scripts and pages beside a document have kept packages too, and their sources stay", async () => {
  const beside = {
    "style.css": '@import url("https://unpkg.com/dial@1.0.0/dial.css"); p { color: red }',
    "app.js": `import { useDial } from "https://esm.sh/dial@1.0.0"; import "./plain.js"; useDial;`,
    "plain.js": "export {};",
    "more/page.html": `<script type="module" src="${chart("4.4.0")}"></script>`,
  };
  const files = await Promise.all(
    Object.entries(beside).map(async ([path, text]) => {
      const file = new TextEncoder().encode(text);
      const sha256 = new Bun.CryptoHasher("sha256").update(file).digest("hex");
      await service.setup.call("file.upload", { sha256 }, { as: owner.token, file });
      return { path, sha256 };
    }),
  );
  const content = '<!doctype html><link rel="stylesheet" href="style.css"><script type="module" src="app.js"></script>';
  const artifact = await service.setup.publish(owner.token, project, { type: "html", content, files });
  const root = `${steady(artifact)}/files/`;
  expect((await read(root)).text).toContain("Fetching a package");
  await run(artifact.artifactId);
  expect((await read(root)).headers.get("content-security-policy")).toContain("http://plinth.test/_packages/");
  const style = await read(`${root}style.css`);
  expect(style.text).toMatch(/^@import url\("\/_packages\/[0-9a-f]{64}\/dial\.css"\); p { color: red }$/);
  expect((await read(`${root}app.js`)).text).toMatch(
    /^import { useDial } from "\/_packages\/[0-9a-f]{64}\/\S+"; import ".\/plain.js"/,
  );
  expect((await read(`${root}plain.js`)).text).toBe("export {};");
  const page = await service.ask("GET", `${root}more/page.html`, { headers: { "sec-fetch-dest": "iframe" } });
  expect(await page.text()).toContain('src="/_packages/');
  expect(page.headers.get("content-security-policy")).toContain("http://plinth.test/_packages/");
  // A reader who holds the text as it was gets the new one.
  const sha256 = files.find(({ path }) => path === "style.css")?.sha256 ?? "";
  const held = await service.ask("GET", `${root}style.css`, { headers: { "if-none-match": `"${sha256}"` } });
  expect(held.status).toBe(200);
  const again = { "if-none-match": held.headers.get("etag") ?? "" };
  expect((await service.ask("GET", `${root}style.css`, { headers: again })).status).toBe(304);
  expect((await read(`/api/artifacts/${artifact.artifactId}/files/style.css`)).text).toBe(beside["style.css"]);
});

test("the source stays as it was published", async () => {
  const source = page(chart("4.4.0"));
  const { artifactId } = await publish(source);
  await run(artifactId);
  const response = await service.ask("GET", `/api/artifacts/${artifactId}/content`);
  expect(await response.text()).toBe(source);
});

test("a head without a lock is asked for once, by its job or by a reader", async () => {
  const artifact = await publish(page(chart("^4")));
  await service.setup.db.run("DELETE FROM outbox");
  const { db, instance } = service.setup;
  const host = { db, config: instance.config, billing: null, renderer: null };
  await runJob(host, "head", { artifactIds: [artifact.artifactId] }, "job_x");
  expect(await waitingLocks()).toEqual([artifact.artifactId]);
  await db.run("DELETE FROM outbox");
  for (let reader = 0; reader < 3; reader++) await read(steady(artifact));
  expect(await waitingLocks()).toEqual([artifact.artifactId]);
});

test("a range is pinned: neither a later release nor a later attempt changes the version", async () => {
  const artifact = await publish(page(chart("~4.4")));
  await run(artifact.artifactId);
  const before = await read(steady(artifact));
  await registry.publish("chart", "4.4.9", { "dist/chart.js": "newest" });
  await run(artifact.artifactId);
  expect((await read(steady(artifact))).text).toBe(before.text);
  const again = await publish(page(chart("~4.4")));
  await run(again.artifactId);
  expect((await read(steady(again))).text).not.toBe(before.text);
  await service.setup.call("version.create", { artifactId: artifact.artifactId, content: "x" }, { as: owner.token });
  await service.setup.call(
    "version.restore",
    { artifactId: artifact.artifactId, versionNumber: 1 },
    { as: owner.token },
  );
  await run(artifact.artifactId, 3);
  expect((await read(steady(artifact, 3))).text).toBe(before.text);
});

test("what is missing stays as it is, is not cached, and comes with a later attempt", async () => {
  const artifact = await publish(page(chart("4.4.0"), "https://unpkg.com/late@1.0.0/a.js", "https://giscus.app/x.js"));
  const failure = await run(artifact.artifactId, 1, "http://127.0.0.1:1").catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Error);
  const partly = await read(steady(artifact));
  expect(partly.text).toMatch(/src="\/_packages\/.*src="https:\/\/unpkg\.com\/late@1\.0\.0\/a\.js".*giscus\.app/);
  expect([partly.headers.get("etag"), partly.headers.get("cache-control")]).toEqual([null, "private, no-store"]);
  await registry.publish("late", "1.0.0", { "a.js": "late" });
  await run(artifact.artifactId);
  const done = await read(steady(artifact));
  expect(done.text).not.toContain("unpkg.com");
  expect(done.headers.get("etag")).toBeString();
});

test("documents without packages, and instances that fetch none, are as before", async () => {
  const plain = await read(steady(await publish("<p>plain</p>")));
  expect(plain.headers.get("content-security-policy")).not.toContain("_packages");
  expect(plain.headers.get("etag")).toBeString();
  const { instance } = service.setup;
  const off = { ask: service.askOf({ ...instance, config: { ...instance.config, packageRegistry: null } }) };
  const artifact = await publish(page(chart("4.4.0")));
  const unchanged = await read(steady(artifact), off);
  expect(unchanged.text).toContain(chart("4.4.0"));
  expect(unchanged.headers.get("etag")).toBeString();
});

const dial = `import { useDial } from "dial"; import "dial/dial.css";
export default function App() { return <p className="dial">{useDial()[0]}</p>; }`;

test("a jsx document waits for the packages that it imports, and then has them beside the runtime's modules", async () => {
  const artifact = await publish(dial, "jsx");
  await service.setup.db.run("DELETE FROM outbox");
  await runHead(artifact.artifactId);
  expect(await waitingLocks()).toEqual([artifact.artifactId]);
  const pending = await read(steady(artifact));
  expect(pending.text).toContain("Fetching a package. This page updates by itself.");
  await run(artifact.artifactId);
  const done = await read(steady(artifact));
  const map = JSON.parse(/<script type="importmap"[^>]*>(.*?)<\/script>/.exec(done.text)?.[1] ?? "{}") as {
    imports: Record<string, string>;
  };
  const address = map.imports["dial"] ?? "";
  expect(address).toMatch(/^\/_packages\/[0-9a-f]{64}\/dial@latest\/index\.js$/);
  expect(map.imports["react"]).toStartWith("/_runtime/");
  expect(done.text).toMatch(/<link rel="stylesheet" href="\/_packages\/[0-9a-f]{64}\/dial\.css">/);
  const policy = done.headers.get("content-security-policy") ?? "";
  expect(policy).toMatch(/script-src [^;]*'nonce-[^;]*http:\/\/plinth\.test\/_packages\//);
  expect(policy).not.toContain("unsafe-eval");
  expect(done.headers.get("etag")).toBeString();
  expect((await read(address)).text).toMatch(/from\s*"react"/);
  await registry.publish("dial", "2.0.0", { "index.js": "export const useDial = () => ['dial 2'];" });
  await run(artifact.artifactId);
  expect((await read(steady(artifact))).text).toContain(address);
});

test("jsx without packages asks for none, and looks for no lock again", async () => {
  const artifact = await publish("export default () => <p>plain</p>", "jsx");
  await service.setup.db.run("DELETE FROM outbox");
  await runHead(artifact.artifactId);
  await read(steady(artifact));
  const plain = await read(steady(artifact));
  expect(await waitingLocks()).toEqual([]);
  expect(plain.headers.get("content-security-policy")).not.toContain("_packages");
  expect(plain.headers.get("etag")).toBeString();
});

test("html has its packages, also where the same text as jsx imports none", async () => {
  const source = `const App = () => <p><script src="${chart("4.4.0")}"></script></p>;`;
  await read(steady(await publish(source, "jsx")));
  const artifact = await publish(source);
  await run(artifact.artifactId);
  expect((await read(steady(artifact))).text).toContain('src="/_packages/');
});

test("an import of a package that the registry lacks is refused with its place; one that it may have is not", async () => {
  const source = (name: string) => `import x from "${name}";\nexport default () => <p>{String(x)}</p>`;
  const refused = await publish(source("reactt"), "jsx").catch((error: unknown) => error);
  expect(refused).toMatchObject({
    code: "invalid_source",
    extra: {
      errors: [
        {
          line: 1,
          column: 15,
          message: '"reactt" cannot be imported. Did you mean "react"?',
          unknownImport: { module: "reactt", suggestion: "react" },
        },
      ],
    },
  });
  const unknown = await publish(source("no-such-thing-here"), "jsx").catch((error: unknown) => error);
  expect(unknown).toMatchObject({
    message: '"no-such-thing-here" cannot be imported. The package registry has no "no-such-thing-here".',
  });
});

test("an instance that fetches nothing has the packages that it kept together before", async () => {
  const { instance } = service.setup;
  const off = { ...instance, config: { ...instance.config, packageRegistry: null } };
  const ask = service.askOf(off);
  const send = async (source: string) => {
    const access = { publicView: true, publicEdit: false };
    const place = { projectSlug: project, slug: service.setup.name("off") };
    const body = { ...place, title: "Off", type: "jsx", access, content: source };
    const response = await ask("POST", "/api/artifacts", { as: owner.token, body });
    const { detail } = (await response.json()) as { detail?: string };
    return [response.status, detail];
  };
  expect(await send(dial)).toEqual([201, undefined]);
  expect(await send(dial.replace('"dial"', '"chart"'))).toEqual([
    400,
    '"chart" cannot be imported. This instance fetches no packages.',
  ]);
});

test("nothing else is served there", async () => {
  const hash = "0".repeat(64);
  for (const path of [`${hash}/a.js`, "x/a.js", `${hash}/`, `${hash}/..%2fa.js`, `${hash}/%E0%A4%A`, `${hash}/a.html`])
    expect([path, (await read(`/_packages/${path}`)).status]).toEqual([path, 404]);
});
