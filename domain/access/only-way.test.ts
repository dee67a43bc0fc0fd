// This folder decides every access to an artifact, a version or its text. Other code that reads those tables is listed
// here with the reason; a new place fails the test.
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { resolve } from "node:path";

/** A file, or a folder with its slash. */
const readers: Readonly<Record<string, string>> = {
  "domain/access/": "decides, or says the same in SQL",
  "domain/artifacts/": "on the row that `invoke` authorized; lists by visibleArtifacts",
  "domain/search/": "narrows what visibleArtifacts shows",
  "domain/events/": "on the artifact of a stream, which is decided about again",
  "domain/versions/": "on the row that `invoke` authorized",
  "domain/files/": "on the row that `invoke` authorized; move.ts for a caller who can move the project",
  "domain/content/renderings.ts": "what was made of a text, by the hash of a version that was authorized",
  "domain/content/kept-pieces.ts":
    "parts of what was made of the text before, for a version of the same artifact that was authorized",
  "domain/content/drawings.ts": "what was drawn of a text, by the hash of a version that was authorized",
  "domain/content/importable-files.ts": "what a jsx document imports, of a version or a publish that was authorized",
  "domain/content/referring-files.ts": "files of a version: for no caller, or of a file that was authorized",
  "domain/addresses.ts": "whether a slug is free, for a caller who can publish in the project",
  "domain/projects/delete.ts": "whether a project is empty, for a caller who can delete it",
  "domain/projects/move.ts": "whether anything private is in a project, for a caller who can move it",
  "domain/sharing/": "on the row that `invoke` authorized; find.ts for the holder of the token",
  "domain/retention/": "for no caller: ends what is past its days",
  "domain/content/request-locks.ts": "for no caller: which workspace a job counts for",
  "domain/jobs/missing-packages.ts": "for no caller: asks again for locks, by identifier",
  "domain/jobs/render-heads.ts": "for no caller: what it stores is shown with a version that was authorized",
  "domain/jobs/renew-renderings.ts": "for no caller: as render-heads.ts",
  "domain/packages/lock.ts": "the part of a version's record that says what it loads, of a version that was authorized",
  "domain/packages/transfer.ts": "for no caller: exports and imports npm packages, which are public, for the operator",
  "domain/packages/package-file.ts": "files of npm packages, which are public; the address has the package's hash",
  "domain/images/lock.ts": "the part of a version's record that says what it shows, of a version that was authorized",
  "domain/images/image-file.ts": "kept images; the address has a key that only the documents with the image name",
  "domain/jobs/draw-diagrams.ts": "for no caller: what it writes is shown with a version that was authorized",
  "domain/jobs/fetch-images.ts": "for no caller: what it writes is used with a version that was authorized",
  "domain/jobs/lock-packages.ts": "for no caller: what it writes is used with a version that was authorized",
  "domain/jobs/search-document.ts": "for no caller: what it writes is shown by visibleArtifacts alone",
  "domain/storage/": "by the hash or the object of a content that was authorized; copies contents, for the operator",
  "domain/thumbnails/": "for no caller: what it takes and asks for is shown with an artifact that was authorized",
  "domain/operator/stats.ts": "counts, for the operator",
  "domain/billing/get.ts": "counts, on the workspace that `invoke` authorized",
  "server/backup/": "for no caller: which heads are to be searched for and captured again, by identifier",
  "domain/doctor/": "for the operator: identifiers of what is broken",
};

/** The column alone is null where the bytes are in object storage. */
const rawBytes = /\bc\.data\b|\bSELECT (?:[\w, ]*, )?data\b[\w, ]*\sFROM content\b/;
const rawReaders = ["domain/doctor/contents.ts", "domain/storage/copy-contents.ts", "domain/storage/object-name.ts"];

test("bytes of contents are read by storedContent alone", async () => {
  const root = resolve(import.meta.dirname, "../..");
  const found: string[] = [];
  for (const folder of ["domain", "api", "worker", "server"])
    for await (const file of new Bun.Glob(`${folder}/**/*.ts`).scan(root)) {
      if (file.includes("node_modules/") || /\/test\/|\.test\.ts$|\/testing\.ts$/.test(file)) continue;
      if (rawBytes.test((await Bun.file(resolve(root, file)).text()).replace(comments, ""))) found.push(file);
    }
  expect(found.toSorted()).toEqual(rawReaders);
});

const tables = "artifacts?|version|content|rendering|search_?document|share_?link";
/** Raw SQL, and Drizzle by the names that the schema's tables have here. */
const reading = new RegExp(
  `\\b(?:FROM|JOIN)\\s+(?:\\$\\{)?(?:${tables})\\b|\\.(?:from|\\w*join|\\$count)\\((?:${tables})\\b`,
  "i",
);
const comments = /\/\*[^]*?\*\/|^\s*\/\/.*$/gm;

test("nothing else reads artifacts, versions or their texts", async () => {
  const root = resolve(import.meta.dirname, "../..");
  const found = new Set<string>();
  const strangers: string[] = [];
  for (const folder of ["domain", "api", "worker", "server", "web/src", "cli"]) {
    for await (const file of new Bun.Glob(`${folder}/**/*.{ts,svelte}`).scan(root)) {
      if (file.includes("node_modules/") || /\/test\/|\.test\.ts$|\/testing\.ts$/.test(file)) continue;
      // Texts, such as "From version 3".
      if (file.startsWith("web/src/messages/")) continue;
      if (!reading.test((await Bun.file(resolve(root, file)).text()).replace(comments, ""))) continue;
      const named = Object.keys(readers).find((name) => file === name || (name.endsWith("/") && file.startsWith(name)));
      if (named === undefined) strangers.push(file);
      else found.add(named);
    }
  }
  expect(strangers).toEqual([]);
  const there = Object.keys(readers).filter((name) => existsSync(resolve(root, name)));
  expect(there.filter((name) => !found.has(name))).toEqual([]);
});
