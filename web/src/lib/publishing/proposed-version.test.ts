// The next version of an artifact from dropped files: which document it is, what it changes, and where its files are. The
// API is a stand-in that has one version.
import { afterEach, beforeEach, expect, test } from "bun:test";

import type { ArtifactType } from "@plinth/contract/schemas/artifact";

import { proposeVersion, type Proposal } from "./proposed-version.ts";

const hashOf = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("hex");

interface Head {
  readonly text: string;
  readonly base?: string;
  /** By path. */
  readonly files?: Readonly<Record<string, string>>;
}

const realFetch = globalThis.fetch;
beforeEach(() => {
  Object.defineProperty(globalThis, "isSecureContext", { value: true, configurable: true });
});
afterEach(() => {
  globalThis.fetch = realFetch;
  Reflect.deleteProperty(globalThis, "isSecureContext");
});

/** Files of a chosen folder, or of none where paths have no slash. */
const chosen = (files: Readonly<Record<string, string>>): File[] =>
  Object.entries(files).map(([path, text]) =>
    Object.defineProperty(new File([text], path.slice(path.lastIndexOf("/") + 1)), "webkitRelativePath", {
      value: path.includes("/") ? path : "",
    }),
  );

async function propose(
  { text, base = "", files = {} }: Head,
  dropped: Readonly<Record<string, string>>,
  { type = "md", sourcePath = null }: { type?: ArtifactType; sourcePath?: string | null } = {},
): Promise<Proposal> {
  const listed = Object.entries(files).map(([path, content]) => ({ path, sha256: hashOf(content), sizeBytes: 1 }));
  const answers: Readonly<Record<string, () => Response>> = {
    "/api/artifacts/art_1/versions?limit=1": () =>
      Response.json({ versions: [{ versionNumber: 4, files: { count: listed.length } }] }),
    "/api/artifacts/art_1/content?version=4": () => new Response(text),
    "/api/artifacts/art_1/versions/4/files": () => Response.json({ base, files: listed }),
  };
  globalThis.fetch = Object.assign(
    async (path: unknown) => answers[String(path)]?.() ?? new Response(null, { status: 404 }),
    { preconnect: realFetch.preconnect },
  );
  return proposeVersion({ artifactId: "art_1", type, sourcePath }, chosen(dropped), 1000);
}

/** A proposal in short. */
function told(proposal: Proposal): unknown {
  if (proposal.kind !== "proposed") return proposal;
  const { name, base, diff, files, filesBefore, found } = proposal.version;
  return {
    name,
    from: base.version,
    lines: [diff.stats.additions, diff.stats.deletions],
    files: files && { paths: files.files.map(({ path }) => path), documentPath: files.documentPath, ...files.diff },
    filesBefore,
    notFound: found?.notFound.map(({ url }) => url),
  };
}

test("a document alone keeps the files of the latest version, and what these have is not missing", async () => {
  const head = { text: "a\n", base: "guide/", files: { "guide/img/a.png": "a", "b.png": "b" } };
  const dropped = { "x.md": "a\n![a](img/a.png) ![b](../b.png) ![c](c.png)\n" };
  expect(told(await propose(head, dropped))).toEqual({
    name: "x.md",
    from: 4,
    lines: [1, 0],
    files: null,
    filesBefore: 2,
    notFound: ["c.png"],
  });
});

test("files of a drop replace the list, at the paths of the folder that the artifact came with", async () => {
  const head = { text: "![a](img/a.png)", base: "guide/", files: { "guide/img/a.png": "old", "guide/gone.png": "x" } };
  const changed = {
    paths: ["guide/img/a.png", "guide/img/b.png"],
    documentPath: "guide/setup.md",
    added: ["guide/img/b.png"],
    removed: ["guide/gone.png"],
    changed: ["guide/img/a.png"],
  };
  const text = "![a](img/a.png) ![b](img/b.png)";
  const below = { "guide/setup.md": text, "guide/img/a.png": "new", "guide/img/b.png": "b" };
  const above = Object.fromEntries(Object.entries(below).map(([path, content]) => [`docs/${path}`, content]));
  const wider = Object.fromEntries(Object.entries(above).map(([path, content]) => [`top/${path}`, content]));
  const options = { sourcePath: "guide/setup.md" };
  for (const dropped of [below, above, { ...wider, "top/other/README.md": "" }])
    expect(told(await propose(head, dropped, options))).toMatchObject({ files: changed });
  const { documentPath: _path, ...rest } = changed;
  expect(told(await propose(head, below))).toMatchObject({ files: rest });
});

test("unchanged: the same text and files, also where lines end in another way", async () => {
  const head = { text: "# A\n\n![a](a.png)\n", files: { "a.png": "a" } };
  const unchanged = { kind: "unchanged", name: "x.md", version: 4 } as const;
  expect(await propose(head, { "d/x.md": head.text, "d/a.png": "a" })).toEqual(unchanged);
  expect(await propose(head, { "x.md": head.text.replaceAll("\n", "\r\n") })).toEqual(unchanged);
  const onlyFile = await propose(head, { "d/x.md": head.text, "d/a.png": "b" });
  expect(told(onlyFile)).toMatchObject({ lines: [0, 0], files: { changed: ["a.png"] } });
});

test.each([
  [{ "a.html": "<p>" }, "a.html is HTML, but this artifact is Markdown. An artifact's type can't be changed."],
  [{ "d/a.png": "" }, "There's no Markdown document among these files."],
  [{ "d/a.md": "", "d/b.md": "" }, "There are 2 Markdown documents: a.md, b.md. Choose one, with its files."],
  [{ "a.md": "x".repeat(1001) }, "a.md is too large. Upload files up to 1 KB."],
  [{ "a.md": "\0" }, "a.md isn't a text file. Upload UTF-8 files up to 1 KB."],
])("%j is refused: %s", async (dropped, why) => {
  expect(await propose({ text: "" }, dropped as Record<string, string>)).toEqual({ kind: "refused", why });
});

test("the only document of the type, modules of others aside", async () => {
  const dropped = { "d/app.jsx": 'import "./part"', "d/part.jsx": "1", "d/README.md": "" };
  expect(told(await propose({ text: "" }, dropped, { type: "jsx" }))).toMatchObject({
    name: "app.jsx",
    files: { paths: ["part.jsx"] },
  });
});

test("a text of no known type is the next version of Markdown alone", async () => {
  expect(told(await propose({ text: "a" }, { "notes.txt": "b" }))).toMatchObject({ name: "notes.txt" });
  expect(await propose({ text: "a" }, { "notes.txt": "b" }, { type: "html" })).toEqual({
    kind: "refused",
    why: "There's no HTML document among these files.",
  });
});

test("a refusal of the service is told", async () => {
  globalThis.fetch = Object.assign(async () => new Response(null, { status: 500 }), {
    preconnect: realFetch.preconnect,
  });
  const proposal = await proposeVersion(
    { artifactId: "art_1", type: "md", sourcePath: null },
    chosen({ "a.md": "" }),
    1000,
  );
  expect(proposal).toMatchObject({ kind: "failed", problem: { status: 500 } });
});
