// Hostile archives: what leads elsewhere is left out, what is too large or broken is refused.
import { expect, test } from "bun:test";
import { gzipSync } from "node:zlib";

import { packageLimits } from "./limits.ts";
import { PackageProblem } from "./problem.ts";
import { archiveOf, type ArchiveEntry } from "@plinth/support/package-registry";
import { unpack } from "./unpack.ts";

const unpacked = async (entries: readonly ArchiveEntry[]) => [...(await unpack(archiveOf(entries))).keys()];

const refusal = async (bytes: Uint8Array, limits = {}) => {
  const failure = await unpack(bytes, { ...packageLimits, ...limits }).catch((error: unknown) => error);
  return failure instanceof PackageProblem ? failure.code : failure;
};

test("files have their paths in the package and their bytes", async () => {
  const files = await unpack(
    archiveOf([
      { path: "package/dist/a.js", body: "a" },
      { path: "other/b.css", body: "b" },
    ]),
  );
  expect([...files].map(([path, bytes]) => [path, new TextDecoder().decode(bytes)])).toEqual([
    ["dist/a.js", "a"],
    ["b.css", "b"],
  ]);
});

test("links, devices, folders, other types and paths that lead elsewhere are left out", async () => {
  const paths = [
    "package/../up.js",
    "/absolute.js",
    "../up.js",
    "package/a/../../up.js",
    "package/back\\slash.js",
    "package//",
    "top.js",
    "package/x.html",
    "package/.x",
  ];
  expect(
    await unpacked([
      ...paths.map((path) => ({ path, body: "x" })),
      { path: "package/link.js", type: "SymbolicLink", linkpath: "/etc/passwd" },
      { path: "package/hard.js", type: "Link", linkpath: "/etc/passwd" },
      { path: "package/device.js", type: "CharacterDevice" },
      { path: "package/folder.js", type: "Directory" },
      { path: "package/kept.js", body: "x" },
    ]),
  ).toEqual(["kept.js"]);
});

test("a file that is too large is left out, and the others are kept", async () => {
  const large = { path: "package/large.js", body: Buffer.alloc(packageLimits.fileBytes + 1) };
  expect(await unpacked([large, { path: "package/small.js", body: "x" }])).toEqual(["small.js"]);
});

test("a bomb is refused: bytes of one file, and many files", async () => {
  expect(
    await refusal(archiveOf([{ path: "package/a.js", body: Buffer.alloc(3_000_000) }]), { archiveBytes: 2_000_000 }),
  ).toBe("too-large");
  const many = Array.from({ length: 30 }, (_, index) => ({ path: `package/${index}.js`, body: "" }));
  expect(await refusal(archiveOf(many), { archiveEntries: 20 })).toBe("too-large");
});

test("nothing is read behind the end of an archive, which may be gigabytes of zeros", async () => {
  const archive = Buffer.concat([archiveOf([{ path: "package/a.js", body: "a" }]), gzipSync(Buffer.alloc(3_000_000))]);
  expect([...(await unpack(archive, { ...packageLimits, archiveBytes: 2_000_000 })).keys()]).toEqual(["a.js"]);
});

test("an archive that is cut, of another kind or with a wrong checksum is refused", async () => {
  const whole = archiveOf([{ path: "package/a.js", body: Buffer.from(crypto.getRandomValues(new Uint8Array(9000))) }]);
  expect(await refusal(whole.subarray(0, whole.length - 4000))).toBe("invalid-archive");
  expect(await refusal(new TextEncoder().encode("<html>"))).toBe("invalid-archive");
  expect(await refusal(gzipSync(Buffer.alloc(1024, 7)))).toBe("invalid-archive");
  expect(await refusal(new Uint8Array())).toBe("invalid-archive");
});
