// CDNs whose paths name npm packages: `name@range/path`. Bare imports of jsx have URLs of that form too.
import { runtimeVersion } from "@plinth/runtime/package-versions";

import { type Find, type Mapping, packageSpec } from "./package-file.ts";

/** What jsdelivr and unpkg serve where a URL names no file. */
const entries = {
  jsdelivr: ["jsdelivr", "browser", "main"],
  unpkg: ["unpkg", "browser", "main"],
} as const;
const styleEntries = ["style"] as const;

/** A folder is what a script or an import map completes. */
export type Use = "style" | "folder" | "other";

export function jsdelivr({ pathname }: URL, use: Use): Mapping {
  const [, kind = "", rest = ""] = /^\/([a-z]+)\/(.*)$/.exec(pathname) ?? [];
  if (kind === "npm") return one(rest, use, "jsdelivr");
  if (kind !== "combine") return null;
  const files = rest.split(",").map((part) => (part.startsWith("npm/") ? one(part.slice(4), use, "jsdelivr") : null));
  return files.every((file) => file !== null) ? files.flat() : null;
}

export const unpkg = ({ pathname, searchParams }: URL, use: Use): Mapping =>
  searchParams.has("module") ? bundled(pathname.slice(1)) : one(pathname.slice(1), use, "unpkg");

/** esm.sh: `/v135/` and `/stable/` say which build, `*` that nothing is to be bundled. */
export const esmSh = ({ pathname }: URL): Mapping =>
  bundled(pathname.replace(/^\/(?:(?:v\d+|stable)\/)?\*?/, "").replace(/\/(?:es\d{4}|esnext|deno)(?:\/.*)?$/, ""));

export const esmRun = ({ pathname }: URL): Mapping => bundled(pathname.slice(1));

/** skypack: `/pin/name@v1.2.3-build,…/optimized/name.js` and `/new/` are of a build. */
export function skypack({ pathname }: URL): Mapping {
  const [, pinned] = /^\/pin\/((?:@[^/]+\/)?[^/@]+@v[^-/]+)-/.exec(pathname) ?? [];
  return bundled(pinned?.replace("@v", "@") ?? pathname.replace(/^\/(?:-\/|new\/)?/, ""));
}

/** jspm: `/npm:name@1.2.3/path` is a file of the package as jspm built it. */
export const jspm = ({ pathname }: URL): Mapping => bundled(pathname.replace(/^\/(?:npm:)?/, ""));

/** `npm:name/path`: what a jsx document imports. Of the runtime's packages in the runtime's version. */
export function npm({ pathname }: URL, use: Use): Mapping {
  const spec = packageSpec(pathname);
  if (spec === null) return null;
  const { name, path } = spec;
  const range = spec.range === "" ? (runtimeVersion(name) ?? "") : spec.range;
  return [{ name, range, find: use === "style" ? styleFile(path) : { by: "bundle", path } }];
}

const styleFile = (path: string): Find =>
  path === "" ? { by: "entry", fields: ["style", "main"] } : { by: "export", path };

function one(text: string, use: Use, cdn: keyof typeof entries): Mapping {
  if (text.endsWith("/+esm")) return bundled(text.slice(0, -"/+esm".length));
  const spec = packageSpec(text);
  if (spec === null) return null;
  const { name, range, path } = spec;
  const isWhole = path === "" && use === "folder";
  return [{ name, range, find: path === "" && !isWhole ? entry(use, cdn) : fileOrFolder(path) }];
}

const entry = (use: Use, cdn: keyof typeof entries): Find => ({
  by: "entry",
  fields: use === "style" ? [...styleEntries, ...entries[cdn]] : entries[cdn],
});

const fileOrFolder = (path: string): Find =>
  path === "" || path.endsWith("/") ? { by: "folder", path } : { by: "path", path };

function bundled(text: string): Mapping {
  const spec = packageSpec(text);
  if (spec === null || spec.name === "gh") return null;
  const { name, range, path } = spec;
  return [{ name, range, find: { by: "bundle", path: path === "" && text.endsWith("/") ? "/" : path } }];
}
