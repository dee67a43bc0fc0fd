// From imports of esm.sh and `+esm` to kept modules: one copy of what they share, and nothing but the packages' own files.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { testDatabase, type TestDatabase } from "@plinth/db/test/database";

import { packText, textOf, unpack } from "../../storage/pack.ts";
import { runtimeVersion } from "@plinth/runtime/package-versions";
import { packageFile } from "../package-file.ts";
import { packageLimits, type PackageLimits } from "../limits.ts";
import type { PackageLock } from "../lock.ts";
import { resolvePackages } from "../resolve.ts";
import { startRegistry, type TestRegistry } from "@plinth/support/package-registry";
import { mapUrl } from "../cdn/map-url.ts";
import { isBundleWanted } from "../cdn/package-file.ts";
import { bundlePackages } from "./bundler.ts";
import { makeBundle } from "./make-bundle.ts";

let db: TestDatabase;
let registry: TestRegistry;
beforeAll(async () => {
  [db, registry] = await Promise.all([testDatabase(), startRegistry()]);
  const cjs = "module.exports = require('./lib/real.js');";
  const real = "'use strict'; if (process.env.NODE_ENV !== 'production') throw 1; exports.useState = () => 'state';";
  await registry.publish("ui", "18.1.0", { "index.js": cjs, "lib/real.js": real }, { main: "index.js" });
  await registry.publish("ui", "18.2.0", { "index.js": cjs, "lib/real.js": real }, { main: "index" });
  await registry.publish("ui", "19.0.0", { "index.js": cjs, "lib/real.js": real }, { main: "index" });
  await registry.publish(
    "ui-dom",
    "18.2.0",
    {
      "dist/dom.mjs":
        'import { useState } from "ui"; import fs from "fs"; export const render = () => useState() + !fs.x;',
      "dist/client.cjs": 'exports.hydrate = () => require("ui").useState();',
      "secret.js": "export default 'private';",
    },
    {
      exports: { ".": { import: "./dist/dom.mjs", require: "./no.cjs" }, "./client": "./dist/client.cjs" },
      peerDependencies: { ui: "^18.0.0" },
    },
  );
  await registry.publish(
    "aliased",
    "1.0.0",
    { "index.js": 'export * from "other-name"; export { default } from "other-name";' },
    {
      module: "index.js",
      dependencies: { "other-name": "npm:ui-dom@^18" },
    },
  );
});
afterAll(async () => {
  await registry.close();
  await db.drop();
});

const resolve = (
  urls: readonly string[],
  url: string | null = registry.url,
  limits: PackageLimits = packageLimits,
  besideRuntime = false,
) =>
  resolvePackages(
    {
      db,
      registry: url === null ? null : { url },
      relativePathsOf: (texts) => Promise.resolve(texts.map(() => [])),
      bundle: bundlePackages,
      besideRuntime,
    },
    urls.map((one) => ({ url: one, use: one.endsWith("/") ? "prefix" : "module", place: null })),
    limits,
  );

const paths = ({ entries }: PackageLock) => entries.map(({ files, missing }) => files[0]?.path ?? missing?.detail);

/** Runs the modules of a lock as a browser would and returns what each exports. */
async function run({ entries }: PackageLock): Promise<Record<string, () => unknown>[]> {
  const sha256 = entries.flatMap(({ files }) => files)[0]?.package ?? "";
  const rows = await db.run<{ path: string; data: Uint8Array }>(
    "SELECT f.path, c.data FROM package_file f JOIN content c ON c.sha256 = f.content WHERE f.package = decode($1, 'hex')",
    [sha256],
  );
  const folder = `${process.env["TMPDIR"] ?? "/tmp"}/plinth-bundle-${Math.random().toString(36).slice(2)}`;
  for (const { path, data } of rows) await Bun.write(`${folder}/${path}.mjs`, rewritten(textOf(await unpack(data))));
  const files = entries.flatMap((entry) => entry.files).filter((file) => file.sha256 !== null);
  const modules = await Promise.all(files.map(({ path }) => import(`${folder}/${path}.mjs`)));
  await Bun.$`rm -r ${folder}`;
  return modules as Record<string, () => unknown>[];
}

/** Relative imports find the files, which have an ending here. */
const rewritten = (text: string) => text.replaceAll(/(from|import)\s*"(\.[^"]+)"/g, '$1"$2.mjs"');

test("modules share one copy of what they import, in the version that the document names", async () => {
  const lock = await resolve([
    "https://esm.sh/ui-dom@18",
    "https://esm.sh/ui@18.1.0",
    "https://cdn.jsdelivr.net/npm/ui-dom@18.2.0/client/+esm",
  ]);
  expect(paths(lock)).toEqual(["ui-dom@18/index.js", "ui@18.1.0/index.js", "ui-dom@18.2.0/client"]);
  expect(lock.isComplete).toBe(true);
  expect(lock.entries[0]?.bundled?.map(({ name, version }) => `${name}@${version}`)).toEqual([
    "ui-dom@18.2.0",
    "ui@18.1.0",
  ]);
  expect(lock.entries.slice(1).every(({ bundled }) => bundled === undefined)).toBe(true);
  expect(lock.entries.every(({ files }) => files[0]?.integrity.startsWith("sha512-") === true)).toBe(true);
  const [dom, ui, client] = await run(lock);
  expect(dom?.["render"]?.()).toBe("statetrue");
  // Names of a CommonJS module, followed through its require.
  expect(ui?.["useState"]?.()).toBe("state");
  expect(client?.["hydrate"]?.()).toBe("state");
});

test("a module is served as a script, named as the document imports it", async () => {
  const lock = await resolve(["https://esm.sh/ui-dom@18/", "https://esm.sh/ui-dom@18/client"]);
  const [folder, file] = lock.entries.map(({ files }) => files[0]);
  expect(folder).toMatchObject({ path: "ui-dom@18/", sha256: null, version: "18.2.0" });
  const served = await packageFile(db, { sha256: file?.package ?? "", path: "ui-dom@18/client", takesZstd: false });
  expect(served?.headers["content-type"]).toBe("text/javascript; charset=utf-8");
  expect(folder?.package).toBe(file?.package as string);
});

test("an alias is the package that it names", async () => {
  const [aliased] = await run(await resolve(["https://esm.sh/aliased"]).then(withoutDefault));
  expect(aliased).toBeDefined();
});

/** `export { default }` of a module without one is an error that names the package, and no bundle. */
async function withoutDefault(lock: PackageLock): Promise<PackageLock> {
  expect(paths(lock)[0]).toContain("default");
  await registry.publish(
    "aliased",
    "1.0.1",
    { "index.js": 'export * from "other-name";' },
    {
      module: "index.js",
      dependencies: { "other-name": "npm:ui-dom@^18" },
    },
  );
  return resolve(["https://esm.sh/aliased@1.0.1"]);
}

test("one module that is not there takes no other with it", async () => {
  const lock = await resolve(["https://esm.sh/ui@19", "https://esm.sh/ui-dom@18/secret", "https://esm.sh/not-there"]);
  expect(paths(lock)).toEqual([
    "ui@19/index.js",
    "ui-dom@18.2.0 does not export secret",
    "The registry has no not-there",
  ]);
  expect(lock.isComplete).toBe(true);
});

test("without a registry the same imports are what was kept for them, and others say so", async () => {
  const urls = ["https://esm.sh/ui@18", "https://esm.sh/ui-dom@18"];
  const kept = await resolve(urls);
  expect((await resolve(urls.toReversed(), null)).entries.map(({ files }) => files)).toEqual(
    kept.entries.map(({ files }) => files).toReversed(),
  );
  expect((await resolve(["https://esm.sh/ui@18.1"], null)).entries[0]?.missing?.code).toBe("registry-off");
});

describe("beside the runtime's modules", () => {
  beforeAll(async () => {
    await registry.publish(
      "widget",
      "2.0.0",
      {
        "index.js": `import { useState } from "react"; import { Scene } from "three"; import { scaleLinear } from "d3-scale";
          export { old } from "./old.cjs"; export const all = [useState, Scene, scaleLinear];`,
        "old.cjs": 'const { createElement } = require("react"); exports.old = () => createElement("p");',
      },
      { type: "module", main: "index.js", peerDependencies: { three: "*" }, dependencies: { "d3-scale": "1" } },
    );
    await registry.publish("d3-scale", "1.0.0", { "index.js": "export const scaleLinear = 'its own';" });
    await registry.publish("three", "0.187.0", {
      "examples/jsm/Extra.js": 'import { Scene } from "three"; export const Extra = Scene;',
    });
  });

  test("React, and what a package leaves to its user, are the runtime's; its own dependencies are bundled", async () => {
    const lock = await resolve(["npm:widget"], registry.url, packageLimits, true);
    expect(paths(lock)).toEqual(["widget@latest/index.js"]);
    expect(lock.entries[0]?.bundled?.map(({ name }) => name)).toEqual(["widget", "d3-scale"]);
    expect(await externals(lock)).toEqual(new Set(["react", "three"]));
    const [, ...rest] = (await textsOf(lock)).join("").split("its own");
    expect(rest).toHaveLength(1);
  });

  test("as Node and bundlers have it: folders with a package.json, defaults of CommonJS, modules without a default", async () => {
    await registry.publish(
      "forms",
      "1.0.0",
      {
        "Button/package.json": '{ "main": "../cjs/Button.js", "module": "../esm/Button.js" }',
        "cjs/Button.js": "exports.kind = 'cjs';",
        "esm/Button.js": "export const kind = 'esm';",
        "modules/package.json": '{ "type": "module" }',
        "modules/index.js": "import all from '../old.js'; export const kind = all.kind;",
        "old.js": "Object.defineProperty(exports, '__esModule', { value: true }); exports.kind = 'old';",
        "dates.js": "exports.kind = String(require('date-fns').default);",
      },
      { peerDependencies: { "date-fns": "*" } },
    );
    const lock = await resolve(
      ["npm:forms/Button", "npm:forms/modules/index.js", "npm:forms/dates.js"],
      registry.url,
      packageLimits,
      true,
    );
    const modules = await run({ ...lock, entries: lock.entries.slice(0, 2) });
    expect(modules.map((module) => module["kind"] as unknown)).toEqual(["esm", "old"]);
    expect(await externals(lock)).toEqual(new Set(["date-fns"]));
  });

  test("a dependency that a package does not state is the registry's latest, or empty where there is none", async () => {
    const code =
      'import { useState } from "ui"; import none from "forgotten-and-gone"; import fs from "fs"; export const all = [useState, none, fs];';
    await registry.publish("forgetful", "1.0.0", { "index.js": code });
    const lock = await resolve(["npm:forgetful"], registry.url, packageLimits, true);
    expect(lock.entries[0]?.bundled?.map(({ name, version }) => `${name}@${version}`)).toEqual([
      "forgetful@1.0.0",
      "ui@19.0.0",
    ]);
  });

  test("a style is found by the name that its package exports it by", async () => {
    const files = { "index.js": "", "looks.css": "b{}", "more.css": "i{}" };
    const exported = { ".": "./index.js", "./css": { default: "./looks.css" }, "./css/*": "./*.css" };
    await registry.publish("looks", "1.0.0", files, { exports: exported });
    const names = ["css", "looks.css", "css/none"];
    const lock = await resolvePackages(
      { db, registry, relativePathsOf: () => Promise.resolve([[]]), bundle: bundlePackages, besideRuntime: true },
      names.map((name) => ({ url: `npm:looks/${name}`, use: "style", place: null })),
    );
    expect(paths(lock)).toEqual(["looks.css", "looks.css", "looks has no file css/none"]);
  });

  test("for html the same package brings its own", async () => {
    const lock = await resolve(["https://esm.sh/widget"]);
    expect(paths(lock)[0]).toContain("three");
    expect(await resolve(["npm:widget"], null)).toMatchObject({ entries: [{ missing: { code: "registry-off" } }] });
  });

  test("what else a package of the runtime has is of the runtime's version, and shares its core", async () => {
    const lock = await resolve(["npm:three/examples/jsm/Extra.js"], registry.url, packageLimits, true);
    expect(paths(lock)).toEqual([`three@${runtimeVersion("three")}/examples/jsm/Extra.js`]);
    expect(await externals(lock)).toEqual(new Set(["three"]));
  });

  const textsOf = async ({ entries }: PackageLock) => {
    const files = entries.flatMap((entry) => entry.files);
    return Promise.all(
      files.map(async ({ package: sha256, path }) => {
        const served = await packageFile(db, { sha256, path, takesZstd: false });
        return served === null ? "" : textOf(served.bytes);
      }),
    );
  };
  const externals = async (lock: PackageLock) => {
    const found = (await textsOf(lock)).flatMap((text) => [...text.matchAll(/from\s*"([\w/-]+)"/g)]);
    return new Set(found.map(([, name]) => name));
  };
});

describe("hostile packages", () => {
  let at = 0;
  async function bundled(code: string, manifest: object = {}, more: Readonly<Record<string, string>> = {}) {
    const name = `hostile-${at++}`;
    await registry.publish(name, "1.0.0", { "index.js": code, ...more }, manifest);
    const lock = await resolve([`https://esm.sh/${name}`]);
    const [entry] = lock.entries;
    const text = async () => {
      const file = entry?.files[0];
      const served = await packageFile(db, { sha256: file?.package ?? "", path: file?.path ?? "", takesZstd: false });
      return served === null ? null : textOf(served.bytes);
    };
    return { missing: entry?.missing?.detail, text: await text() };
  }

  test.each([
    'import a from "/etc/passwd"; export default a;',
    'import a from "../../../../../../etc/passwd"; export default a;',
    `import a from "${import.meta.path}"; export default a;`,
    'import a from "./../hostile-0/package.json"; export default a;',
    'export * from "#up";',
  ])("%s reads no file of this machine", async (code) => {
    const { missing, text } = await bundled(code, { imports: { "#up": "../../../../etc/passwd" } });
    expect(`${missing} ${text}`).not.toMatch(/root:|bun:test|"version"/);
  });

  test("no code of a package is run", async () => {
    const marker = "__plinthWasRun";
    const { text } = await bundled(
      `import { go } from "./macro.js" with { type: "macro" }; globalThis.${marker} = 1; export default go;`,
      {},
      { "macro.js": `globalThis.${marker} = 1; export const go = () => 1;` },
    );
    expect(text ?? "").toContain(marker);
    expect(Reflect.get(globalThis, marker)).toBeUndefined();
  });

  test("a URL stays the reader's to load, where the policy of the document allows it", async () => {
    expect((await bundled('import a from "https://x.example/a.js"; export default a;')).text).toContain(
      "https://x.example/a.js",
    );
  });

  test("circles of packages end, and broken code says where", async () => {
    await registry.publish(
      "round",
      "1.0.0",
      { "index.js": 'export * from "trip"; export const a = 1;' },
      { dependencies: { trip: "1" } },
    );
    await registry.publish(
      "trip",
      "1.0.0",
      { "index.js": 'export * from "round"; export const b = 2;' },
      { dependencies: { round: "1" } },
    );
    expect(paths(await resolve(["https://esm.sh/round"]))).toEqual(["round@latest/index.js"]);
    expect((await bundled("export default {")).missing).toMatch(/\w/);
  });

  test("more packages, or larger ones, than a document may import are refused", async () => {
    const url = "https://esm.sh/ui-dom@18";
    const few = await resolve([url], registry.url, { ...packageLimits, bundledPackages: 1 });
    expect(few.entries[0]?.missing).toMatchObject({ code: "too-many" });
    const small = await resolve([url], registry.url, { ...packageLimits, bundledBytes: 100 });
    expect(small.entries[0]?.missing).toMatchObject({ code: "too-large" });
  });

  test("modules that are larger than a document may load leave no bundle", async () => {
    const text = async (code: string) => ({ content: await packText(code) });
    const files = [
      { path: "package.json", ...(await text("{}")) },
      { path: "index.js", ...(await text(`export default ${JSON.stringify("a".repeat(10_000))};`)) },
    ];
    const input = {
      besideRuntime: false,
      packages: [{ id: "large@1.0.0", name: "large", files, dependencies: {} }],
      entries: [{ file: "large.js", packageId: "large@1.0.0", subpath: "" }],
    };
    expect(await bundlePackages(input)).toMatchObject({ kind: "files" });
    expect(await bundlePackages(input, 5000)).toMatchObject({ kind: "problem", file: null });
  });

  test("after the time of the attempt nothing is bundled again", async () => {
    let rounds = 0;
    const limits = {
      ...packageLimits,
      get until() {
        return rounds < 3 ? Infinity : 0;
      },
    };
    const bundling = {
      db,
      registry: { url: registry.url },
      besideRuntime: false,
      // What hostile packages can do in a thousand files: each round finds one more import of what is there.
      bundle: () => {
        rounds++;
        const missing = [{ packageId: "ui-dom@18.2.0", name: "ui" }];
        return Promise.resolve({ kind: "missing", missing } as const);
      },
    };
    const [wanted] = mapUrl("https://esm.sh/ui-dom@18", "module")?.filter(isBundleWanted) ?? [];
    const made = makeBundle(bundling, wanted === undefined ? [] : [wanted], limits);
    expect(await made.catch((error: unknown) => error)).toMatchObject({ code: "registry-unreachable" });
    expect(rounds).toBe(3);
  });

  test("no package is asked for after the time of the attempt, and another attempt may get it", async () => {
    const asked = registry.asked.length;
    const late = await resolve(["https://esm.sh/ui-dom@18"], registry.url, { ...packageLimits, documentMs: 0 });
    expect(late.entries[0]?.missing).toMatchObject({ code: "registry-unreachable" });
    expect(late.isComplete).toBe(false);
    expect(registry.asked.length).toBe(asked);
  });
});
