// From URLs to kept files, against a real registry, and a hostile one.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { testDatabase, type TestDatabase } from "@plinth/db/test/database";

import { unpack as unpackContent } from "../storage/pack.ts";
import { bundlePackages } from "./bundle/bundler.ts";
import { relativePaths } from "./find/relative-urls.ts";
import { packageLimits } from "./limits.ts";
import type { PackageLock } from "./lock.ts";
import type { ReferenceUse } from "./reference.ts";
import { resolvePackages } from "./resolve.ts";
import { archiveOf, bombOf, digests, startRegistry, type TestRegistry } from "@plinth/support/package-registry";

let db: TestDatabase;
let registry: TestRegistry;
beforeAll(async () => {
  [db, registry] = await Promise.all([testDatabase(), startRegistry()]);
  await registry.publish("chart", "4.4.0", { "dist/chart.umd.js": "old" });
  await registry.publish(
    "chart",
    "4.4.1",
    { "dist/chart.umd.js": "new", "dist/chart.js": "module", "README.md": "no" },
    { jsdelivr: "./dist/chart.umd.js" },
  );
  await registry.publish("chart", "5.0.0-beta.1", { "dist/chart.umd.js": "beta" }, { main: "dist/chart.umd" });
  await registry.publish("lines", "1.0.0", {
    "es/index.js": 'import { a } from "./a.js"; import "other"; export const later = () => import("../lazy/b.js");',
    "es/a.js": 'export * from "./missing.js"; export const a = 1;',
    "lazy/b.js": "export {};",
    "unused.js": "export {};",
    "css/all.css": '@import "./more.css"; @font-face { src: url(../fonts/f.woff2?v=1) } p { background: url(/no.png) }',
    "css/more.css": "p { background: url(../up/../fonts/g.woff2) }",
    "fonts/f.woff2": new Uint8Array([1, 2, 3, 255]),
    "fonts/g.woff2": "chart bytes",
  });
  await registry.publish("@fontsource/inter", "5.0.0", {
    "400.css": "@font-face{src:url(./files/i.woff2)}",
    "files/i.woff2": "i",
  });
});
afterAll(async () => {
  await registry.close();
  await db.drop();
});

const resolve = (
  urls: readonly (string | [string, ReferenceUse])[],
  url: string | null = registry.url,
  documentBytes?: number,
) =>
  resolvePackages(
    {
      db,
      registry: url === null ? null : { url },
      relativePathsOf: (texts) => Promise.resolve(texts.map(relativePaths)),
      bundle: bundlePackages,
      besideRuntime: false,
    },
    urls.map((one) => {
      const [address, use] = typeof one === "string" ? [one, "script" as const] : one;
      return { url: address, use, place: null };
    }),
    documentBytes === undefined ? packageLimits : { ...packageLimits, documentBytes },
  );

/** Of each entry its files in short, or why it is missing. */
const short = ({ entries }: PackageLock) =>
  entries.map(
    ({ files, missing }) => missing?.code ?? files.map(({ name, version, path }) => `${name}@${version}/${path}`),
  );

const textOf = async (sha256: string | null) => {
  const [row] = await db.run<{ data: Uint8Array }>("SELECT data FROM content WHERE sha256 = decode($1, 'hex')", [
    sha256,
  ]);
  return row === undefined ? null : new TextDecoder().decode(await unpackContent(row.data));
};

const keptPaths = async (name: string) =>
  (
    await db.run<{ path: string }>(
      "SELECT f.path FROM package_file f JOIN package p ON p.sha256 = f.package WHERE p.name = $1 ORDER BY f.path",
      [name],
    )
  ).map(({ path }) => path);

test("exact versions, ranges, tags and no version give what a CDN would serve, with integrity and bytes", async () => {
  const base = "https://cdn.jsdelivr.net/npm/chart";
  const lock = await resolve([`${base}@4.4.0/dist/chart.umd.js`, `${base}@4/dist/chart.umd.min.js`, base, `${base}@4`]);
  expect(short(lock)).toEqual([
    ["chart@4.4.0/dist/chart.umd.js"],
    ["chart@4.4.1/dist/chart.umd.js"],
    ["chart@5.0.0-beta.1/dist/chart.umd.js"],
    ["chart@4.4.1/dist/chart.umd.js"],
  ]);
  expect(lock.isComplete).toBe(true);
  const [first] = lock.entries[0]?.files ?? [];
  expect(first?.integrity).toStartWith("sha512-");
  expect(await textOf(first?.sha256 ?? null)).toBe("old");
});

test("a file is kept with all that it names relative to itself, and nothing else", async () => {
  const base = "https://unpkg.com/lines@1.0.0";
  await resolve([[`${base}/es/index.js`, "module"]]);
  expect(await keptPaths("lines")).toEqual(["es/a.js", "es/index.js", "lazy/b.js"]);
  const lock = await resolve([[`${base}/css/all.css`, "style"]]);
  expect(await keptPaths("lines")).toEqual([
    "css/all.css",
    "css/more.css",
    "es/a.js",
    "es/index.js",
    "fonts/f.woff2",
    "fonts/g.woff2",
    "lazy/b.js",
  ]);
  expect(lock.entries[0]?.files[0]?.path).toBe("css/all.css");
});

test("a package whose script finds its other files by itself is kept with their folders", async () => {
  const files = { "dist/leaflet.js": "L", "dist/images/marker.png": "m", "src/unused.js": "u" };
  await registry.publish("leaflet", "1.9.4", files);
  await resolve(["https://unpkg.com/leaflet@1.9.4/dist/leaflet.js"]);
  expect(await keptPaths("leaflet")).toEqual(["dist/images/marker.png", "dist/leaflet.js"]);
});

test("a folder of an import map is pinned, with the package that it is of", async () => {
  const lock = await resolve([
    ["https://unpkg.com/lines@1.0.0/es/", "prefix"],
    ["https://unpkg.com/lines@1.0.0/none/", "prefix"],
  ]);
  expect(short(lock)).toEqual([["lines@1.0.0/es/"], "file-not-found"]);
  expect(lock.entries[0]?.files[0]?.sha256).toBeNull();
});

test("a family of Google's is its package; a face that the family has not is left out", async () => {
  const lock = await resolve([["https://fonts.googleapis.com/css2?family=Inter:wght@400;900", "style"]]);
  expect(short(lock)).toEqual([["@fontsource/inter@5.0.0/400.css"]]);
  expect(await keptPaths("@fontsource/inter")).toEqual(["400.css", "files/i.woff2"]);
});

test("of several families one without a package is named and left out, and the others are there", async () => {
  const family = (names: string) => `https://fonts.googleapis.com/css?family=${names}`;
  const lock = await resolve([
    [family("Inter:400|Droid+Sans+Mono:400,700"), "style"],
    [family("Droid+Sans+Mono|Inter"), "style"],
    [family("Droid+Sans+Mono"), "style"],
  ]);
  const missing = {
    code: "package-not-found",
    detail: "The registry has no @fontsource/droid-sans-mono",
    name: "@fontsource/droid-sans-mono",
  } as const;
  expect(short(lock)).toEqual([["@fontsource/inter@5.0.0/400.css"], ["@fontsource/inter@5.0.0/400.css"], missing.code]);
  expect(lock.entries.map(({ without }) => without)).toEqual([[missing], [missing], undefined]);
  expect(lock.entries[2]?.missing).toEqual(missing);
  expect(lock.isComplete).toBe(true);
});

test("MathJax 4 comes with its font, which is another package, and with what it loads by itself", async () => {
  await registry.publish("mathjax", "4.1.3", {
    "tex-mml-chtml.js": "M",
    "tex-svg.js": "S",
    "ui/menu.js": "m",
    "mml-svg.js": "no",
  });
  await registry.publish("@mathjax/mathjax-newcm-font", "4.1.3", {
    "chtml/woff2/a.woff2": "a",
    "chtml/dynamic/double-struck.js": "d",
    "svg/dynamic/double-struck.js": "s",
    "mjs/x.js": "no",
  });
  const lock = await resolve(["https://cdn.jsdelivr.net/npm/mathjax@4/tex-mml-chtml.js"]);
  expect(lock.entries[0]?.companions).toMatchObject([
    { name: "@mathjax/mathjax-newcm-font", version: "4.1.3", path: "chtml/", sha256: null },
  ]);
  expect(await keptPaths("mathjax")).toEqual(["tex-mml-chtml.js", "ui/menu.js"]);
  expect(await keptPaths("@mathjax/mathjax-newcm-font")).toEqual([
    "chtml/dynamic/double-struck.js",
    "chtml/woff2/a.woff2",
  ]);
  // What another document needs of a kept package is fetched once more.
  await resolve(["https://cdn.jsdelivr.net/npm/mathjax@4.1.3/tex-svg.js"]);
  expect(await keptPaths("@mathjax/mathjax-newcm-font")).toContain("svg/dynamic/double-struck.js");
  registry.asked.length = 0;
  await resolve(["https://cdn.jsdelivr.net/npm/mathjax@4.1.3/tex-svg.js"]);
  expect(registry.asked).toEqual([]);
});

test("a font that cannot be had leaves MathJax as it is, and is named", async () => {
  await registry.publish("mathjax", "4.0.9", { "tex-chtml.js": "M" });
  const lock = await resolve(["https://cdn.jsdelivr.net/npm/mathjax@4.0.9/tex-chtml.js"]);
  expect(short(lock)).toEqual([["mathjax@4.0.9/tex-chtml.js"]]);
  expect(lock.entries[0]?.without).toMatchObject([{ code: "version-not-found", name: "@mathjax/mathjax-newcm-font" }]);
});

test("a folder that a script names is kept whole, a loader's folder as one, and workers with their library", async () => {
  await registry.publish("models", "1.0.0", { "wasm/a.wasm": "a", "wasm/deep/b.data": "b", "other/c.js": "c" });
  await registry.publish("monaco-editor", "0.52.2", {
    "min/vs/loader.js": "l",
    "min/vs/base/worker/workerMain.js": "w",
  });
  await registry.publish("pdfjs-dist", "3.11.174", {
    "build/pdf.min.js": "p",
    "build/pdf.worker.min.js": "w",
    "web/x.js": "x",
  });
  const lock = await resolve([
    ["https://cdn.jsdelivr.net/npm/models@1/wasm/", "folder"],
    ["https://unpkg.com/monaco-editor@0.52.2/min/vs", "amd"],
    "https://cdnjs.cloudflare.com/ajax/libs/pdf.js/3.11.174/pdf.min.js",
  ]);
  expect(short(lock)).toEqual([
    ["models@1.0.0/wasm/"],
    ["monaco-editor@0.52.2/min/vs/"],
    ["pdfjs-dist@3.11.174/build/pdf.min.js"],
  ]);
  expect(await keptPaths("models")).toEqual(["wasm/a.wasm", "wasm/deep/b.data"]);
  expect(await keptPaths("monaco-editor")).toEqual(["min/vs/base/worker/workerMain.js", "min/vs/loader.js"]);
  expect(await keptPaths("pdfjs-dist")).toEqual(["build/pdf.min.js", "build/pdf.worker.min.js"]);
});

test("a package that an earlier program listed is read once more, for the types of files that it left out", async () => {
  await registry.publish("cars", "1.0.0", { "a.js": "a", "data/cars.csv": "1" });
  const url = "https://unpkg.com/cars@1.0.0";
  await resolve([`${url}/a.js`]);
  await db.run(`UPDATE package SET listing = '{"paths": ["a.js"], "entries": {}}' WHERE name = 'cars'`);
  expect(short(await resolve([`${url}/data/cars.csv`], null))).toEqual(["file-not-found"]);
  expect(short(await resolve([`${url}/data/cars.csv`]))).toEqual([["cars@1.0.0/data/cars.csv"]]);
});

test("what is kept is not asked for again, nor needed of the registry", async () => {
  const urls = ["https://unpkg.com/chart@4.4.0/dist/chart.umd.js", "https://unpkg.com/chart@^4.4.0/dist/chart.umd.js"];
  const before = await resolve(urls);
  registry.asked.length = 0;
  expect(await resolve(urls.slice(0, 1))).toEqual({ ...before, entries: before.entries.slice(0, 1) });
  expect(registry.asked).toEqual([]);
  expect(await resolve(urls)).toEqual(before);
  expect(registry.asked).toEqual(["/chart"]);
  expect(await resolve(urls, null)).toEqual(before);
  expect(short(await resolve(["https://unpkg.com/chart@9/x.js"], null))).toEqual(["registry-off"]);
});

test("the same bytes of two packages are stored once", async () => {
  await registry.publish("twin", "1.0.0", { "a.js": "the same bytes" });
  await registry.publish("other-twin", "1.0.0", { "b.js": "the same bytes" });
  const lock = await resolve(["https://unpkg.com/twin/a.js", "https://unpkg.com/other-twin/b.js"]);
  const [one, other] = lock.entries.map(({ files }) => files[0]);
  expect(one?.sha256).toBe(other?.sha256 ?? "");
  expect(one?.package).not.toBe(other?.package);
});

test("why a package is missing is said, and whether another attempt may help", async () => {
  const lock = await resolve([
    "https://unpkg.com/no-such-package/x.js",
    "https://unpkg.com/chart@8/x.js",
    "https://unpkg.com/chart@4.9.9/x.js",
    "https://unpkg.com/chart@4.4.1/none.js",
    "https://esm.sh/chart",
    "https://polyfill.io/v3/polyfill.min.js",
    "https://giscus.app/client.js",
  ]);
  expect(short(lock)).toEqual([
    "package-not-found",
    "version-not-found",
    "version-not-found",
    "file-not-found",
    "unsupported",
    [],
  ]);
  expect(lock.isComplete).toBe(true);
  const away = await resolve(["https://unpkg.com/chart@3/x.js"], "http://127.0.0.1:1");
  expect([short(away), away.isComplete]).toEqual([["registry-unreachable"], false]);
});

test("a document's references, and their bytes, are bounded", async () => {
  const many = Array.from(
    { length: 3 * packageLimits.references },
    (_, index) => `https://unpkg.com/chart@4.4.0/dist/chart.umd.js?${index}`,
  );
  expect(short(await resolve(many.slice(0, packageLimits.references + 1))).at(-1)).toBe("too-many");
  // A lock tells of no more than twice as many.
  expect((await resolve(many)).entries).toHaveLength(2 * packageLimits.references);
  const files = { "a.js": "a".repeat(1000), "b.js": "b".repeat(1000) };
  for (const name of ["large", "larger"]) await registry.publish(name, "1.0.0", files);
  const urls = ["large/a.js", "large/b.js", "larger/a.js", "larger/b.js"].map((path) => `https://unpkg.com/${path}`);
  const codes = short(await resolve(urls, registry.url, 3000)).map((one) => (typeof one === "string" ? one : "kept"));
  expect(codes).toEqual(["kept", "kept", "too-large", "too-large"]);
  expect(await keptPaths("larger")).toEqual([]);
});

describe("a hostile registry", () => {
  const good = archiveOf([{ path: "package/x.js", body: "good" }]);
  const answers = new Map<string, (origin: string) => Response | Promise<Response>>();
  const hostile = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    fetch: ({ url }) => {
      const { pathname, origin } = new URL(url);
      return answers.get(pathname)?.(origin) ?? new Response(null, { status: 404 });
    },
  });
  afterAll(() => hostile.stop(true));
  const { origin } = hostile.url;

  /** A package with one version, whose tarball or `dist` is as told. */
  function serve(name: string, tarball: () => Response | Promise<Response>, dist: object = {}, version: object = {}) {
    answers.set(`/${name}/1.0.0`, (at) =>
      Response.json({
        name,
        version: "1.0.0",
        dist: { ...digests(good), tarball: `${at}/${name}.tgz`, ...dist },
        ...version,
      }),
    );
    answers.set(`/${name}.tgz`, tarball);
  }
  const codes = async (...names: string[]) =>
    short(
      await resolve(
        names.map((name) => `https://unpkg.com/${name}@1.0.0/x.js`),
        origin,
      ),
    );
  const sent = (bytes: Uint8Array) => () => new Response(Buffer.from(bytes));

  test("bytes that are not of the stated integrity are not kept, nor any of a weak one", async () => {
    serve("tampered", sent(archiveOf([{ path: "package/x.js", body: "evil" }])));
    serve("weak", sent(good), { integrity: undefined });
    serve("weaker", sent(good), { integrity: `sha1-${Buffer.from(digests(good).shasum, "hex").toString("base64")}` });
    serve("garbage", sent(good), { integrity: "nonsense" });
    serve("good", sent(good));
    expect(await codes("tampered", "weak", "weaker", "garbage", "good")).toEqual([
      "wrong-integrity",
      "no-integrity",
      "no-integrity",
      "no-integrity",
      ["good@1.0.0/x.js"],
    ]);
    for (const name of ["tampered", "weak", "weaker", "garbage"]) expect(await keptPaths(name)).toEqual([]);
    const [kept] = await db.run("SELECT 1 FROM package WHERE name = 'tampered'");
    expect(kept).toBeUndefined();
  });

  test("an answer about another package or version, or of another form, is refused", async () => {
    serve("confused", sent(good), {}, { name: "good" });
    serve("older", sent(good), {}, { version: "0.9.0" });
    answers.set("/text/1.0.0", () => new Response("<html>"));
    answers.set("/list/1.0.0", () => Response.json([]));
    answers.set("/bare/1.0.0", () => Response.json({ name: "bare", version: "1.0.0" }));
    serve("nowhere", sent(good), { tarball: "not a url" });
    expect(await codes("confused", "older", "text", "list", "bare", "nowhere")).toEqual(
      Array.from({ length: 6 }, () => "invalid-answer"),
    );
  });

  test("tarballs at private addresses, behind redirects there, and of other protocols are not fetched", async () => {
    serve("private", sent(good), { tarball: "https://169.254.169.254/x.tgz" });
    serve("redirected", () => Response.redirect("https://127.0.0.1:1/x.tgz"));
    serve("file", sent(good), { tarball: "file:///etc/passwd" });
    serve("plain", sent(good), { tarball: "http://93.184.215.14/x.tgz" });
    serve("forbidden", () => new Response(null, { status: 403 }));
    expect(await codes("private", "redirected", "file", "plain", "forbidden")).toEqual(
      Array.from({ length: 5 }, () => "registry-refused"),
    );
  });

  test("endless answers and bombs are refused as too large", async () => {
    const chunk = Buffer.alloc(1024 * 1024);
    const endless = () =>
      new Response(
        new ReadableStream({
          async pull(controller) {
            controller.enqueue(chunk);
            await Bun.sleep(0);
          },
        }),
      );
    serve("endless", endless);
    answers.set("/chatty/1.0.0", endless);
    const bomb = bombOf(packageLimits.archiveBytes + chunk.length, chunk);
    serve("bomb", sent(bomb), digests(bomb));
    expect(await codes("endless", "chatty", "bomb")).toEqual(["too-large", "too-large", "too-large"]);
  }, 60_000);

  test("a registry that fails or is busy may be asked again", async () => {
    answers.set("/down/1.0.0", () => new Response(null, { status: 502 }));
    answers.set("/busy/1.0.0", () => new Response(null, { status: 429 }));
    expect(await codes("down", "busy")).toEqual(["registry-unreachable", "registry-unreachable"]);
  });
});
