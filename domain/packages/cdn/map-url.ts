// From a URL to the files of npm packages that it stands for: one table of hosts. Pure.
import { runtimeVersion } from "@plinth/runtime/package-versions";
import type { ReferenceUse } from "../reference.ts";
import { cdnjs, googleLibraries } from "./library-cdns.ts";
import * as site from "./project-sites.ts";
import { type Find, type Mapping, packageSpec, type Wanted } from "./package-file.ts";

// CDNs whose paths name npm packages: `name@range/path`. Bare imports of jsx have URLs of that form too.

/** What jsdelivr and unpkg serve where a URL names no file. */
const entries = {
  jsdelivr: ["jsdelivr", "browser", "main"],
  unpkg: ["unpkg", "browser", "main"],
} as const;
const styleEntries = ["style"] as const;

type Use = "style" | "other";

function jsdelivr({ pathname }: URL, use: Use): Mapping {
  const [, kind = "", rest = ""] = /^\/([a-z]+)\/(.*)$/.exec(pathname) ?? [];
  if (kind === "npm") return one(rest, use, "jsdelivr");
  if (kind !== "combine") return null;
  const files = rest.split(",").map((part) => (part.startsWith("npm/") ? one(part.slice(4), use, "jsdelivr") : null));
  return files.every((file) => file !== null) ? files.flat() : null;
}

const unpkg = ({ pathname, searchParams }: URL, use: Use): Mapping =>
  searchParams.has("module") ? bundled(pathname.slice(1)) : one(pathname.slice(1), use, "unpkg");

/** esm.sh: `/v135/` and `/stable/` say which build, `*` that nothing is to be bundled. */
const esmSh = ({ pathname }: URL): Mapping =>
  bundled(pathname.replace(/^\/(?:(?:v\d+|stable)\/)?\*?/, "").replace(/\/(?:es\d{4}|esnext|deno)(?:\/.*)?$/, ""));

const esmRun = ({ pathname }: URL): Mapping => bundled(pathname.slice(1));

/** skypack: `/pin/name@v1.2.3-build,…/optimized/name.js` and `/new/` are of a build. */
function skypack({ pathname }: URL): Mapping {
  const [, pinned] = /^\/pin\/((?:@[^/]+\/)?[^/@]+@v[^-/]+)-/.exec(pathname) ?? [];
  return bundled(pinned?.replace("@v", "@") ?? pathname.replace(/^\/(?:-\/|new\/)?/, ""));
}

/** jspm: `/npm:name@1.2.3/path` is a file of the package as jspm built it. */
const jspm = ({ pathname }: URL): Mapping => bundled(pathname.replace(/^\/(?:npm:)?/, ""));

/** `npm:name/path`: what a jsx document imports. Of the runtime's packages in the runtime's version. */
function npm({ pathname }: URL, use: Use): Mapping {
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
  return [{ name, range, find: path === "" ? entry(use, cdn) : fileOrFolder(path) }];
}

const entry = (use: Use, cdn: keyof typeof entries): Find => ({
  by: "entry",
  fields: use === "style" ? [...styleEntries, ...entries[cdn]] : entries[cdn],
});

const fileOrFolder = (path: string): Find => (path.endsWith("/") ? { by: "folder", path } : { by: "path", path });

function bundled(text: string): Mapping {
  const spec = packageSpec(text);
  if (spec === null || spec.name === "gh") return null;
  const { name, range, path } = spec;
  return [{ name, range, find: { by: "bundle", path: path === "" && text.endsWith("/") ? "/" : path } }];
}

// Google Fonts as packages: a URL of its style sheets names families, of which Fontsource has a package each with a
// style sheet for each weight, in subsets by unicode-range.

/** Icon fonts, whose style sheets have more than the font. */
const icons: readonly { readonly family: RegExp; readonly wanted: (style: string) => Omit<Wanted, "range"> }[] = [
  {
    family: /^Material Icons(?: (Outlined|Round|Sharp|Two Tone))?$/,
    wanted: (style) => ({
      name: "material-icons",
      find: { by: "path", path: `iconfont/${style === "" ? "filled" : style}.css` },
    }),
  },
  {
    family: /^Material Symbols (Outlined|Rounded|Sharp)$/,
    wanted: (style) => ({ name: "material-symbols", find: { by: "path", path: `${style}.css` } }),
  },
];

const mostFaces = 64;

function googleFonts({ pathname, searchParams }: URL): Mapping {
  const families =
    pathname === "/css2"
      ? searchParams.getAll("family").map(byAxes)
      : pathname === "/css" || pathname === "/icon"
        ? (searchParams.get("family") ?? "").split("|").map(byVariants)
        : null;
  if (families === null) return null;
  const wanted = families.flatMap(({ family, faces }) => iconSheet(family) ?? faces.map((face) => sheet(family, face)));
  return wanted.length === 0 || wanted.length > mostFaces ? null : wanted;
}

interface Family {
  readonly family: string;
  /** `400`, `700-italic`. */
  readonly faces: readonly string[];
}

/** `Inter:ital,wght@0,400;1,300..700` of css2. */
function byAxes(text: string): Family {
  const [family = "", spec = ""] = text.split(":");
  const [axes = "", tuples = ""] = spec.split("@");
  const names = axes.split(",");
  const faces = tuples.split(";").flatMap((tuple) => {
    const values = tuple.split(",");
    const valueOf = (axis: string): string | undefined => values[names.indexOf(axis)];
    return weightsOf(valueOf("wght") ?? "400").map((weight) => face(weight, valueOf("ital") === "1"));
  });
  return { family: family.trim(), faces: [...new Set(faces)] };
}

/** `Roboto:400,700italic` of css. */
function byVariants(text: string): Family {
  const [family = "", variants = ""] = text.split(":");
  const faces = (variants === "" ? "400" : variants).split(",").map((variant) => {
    const [, weight = "400"] = /(\d{3})/.exec(variant) ?? (/^b/i.test(variant) ? ["", "700"] : []);
    return face(Number(weight), /\di|ital|^b?i$/i.test(variant));
  });
  return { family: family.replaceAll("+", " ").trim(), faces: [...new Set(faces)] };
}

/** A range of a variable font is each of its hundreds. */
function weightsOf(text: string): number[] {
  const [from = 400, to = from] = text.split("..").map(Number);
  return [100, 200, 300, 400, 500, 600, 700, 800, 900].filter((weight) => weight >= from && weight <= to);
}

const face = (weight: number, isItalic: boolean): string => `${weight}${isItalic ? "-italic" : ""}`;

/** Optional, because Google leaves out the faces that a family has not. */
const sheet = (family: string, name: string): Wanted => ({
  name: `@fontsource/${family.toLowerCase().replaceAll(/[^a-z\d]+/g, "-")}`,
  range: "",
  find: { by: "path", path: `${name}.css` },
  isOptional: true,
});

function iconSheet(family: string): Wanted[] | null {
  for (const { family: pattern, wanted } of icons) {
    const [whole, style = ""] = pattern.exec(family) ?? [];
    if (whole !== undefined) return [{ ...wanted(style.toLowerCase().replaceAll(" ", "-")), range: "" }];
  }
  return null;
}

type Grammar = (url: URL, use: "style" | "other") => Mapping;

const hosts: Readonly<Record<string, Grammar>> = {
  "ajax.googleapis.com": googleLibraries,
  "cdn.bokeh.org": site.bokeh,
  "cdn.jsdelivr.net": jsdelivr,
  "cdn.mathjax.org": site.mathjax,
  "cdn.plot.ly": site.plotly,
  "cdn.polyfill.io": site.nothing,
  "cdn.pydata.org": site.bokeh,
  "cdn.sheetjs.com": site.sheetjs,
  "cdn.skypack.dev": skypack,
  "cdn.tailwindcss.com": site.tailwind,
  "cdnjs.cloudflare.com": cdnjs,
  "code.jquery.com": site.jquery,
  "d3js.org": site.d3,
  "esm.run": esmRun,
  "esm.sh": esmSh,
  "fastly.jsdelivr.net": jsdelivr,
  "fonts.bunny.net": googleFonts,
  "fonts.googleapis.com": googleFonts,
  "ga.jspm.io": jspm,
  "gcore.jsdelivr.net": jsdelivr,
  "jspm.dev": jspm,
  "mathjax.rstudio.com": site.mathjax,
  "maxcdn.bootstrapcdn.com": site.bootstrapCdn,
  "netdna.bootstrapcdn.com": site.bootstrapCdn,
  "polyfill-fastly.io": site.nothing,
  "polyfill.io": site.nothing,
  "stackpath.bootstrapcdn.com": site.bootstrapCdn,
  "unpkg.com": unpkg,
  "use.fontawesome.com": site.fontAwesome,
};

/** @returns null for a URL of no known grammar: it is no package, and stays as it is */
export function mapUrl(text: string, use: ReferenceUse): Mapping {
  const url = URL.parse(text);
  if (url === null || url.port !== "" || url.username !== "" || url.password !== "") return null;
  if (url.protocol === "npm:") return npm(url, use === "style" ? "style" : "other");
  const grammar = Object.hasOwn(hosts, url.hostname) ? hosts[url.hostname] : undefined;
  return grammar?.(url, use === "style" ? "style" : "other") ?? null;
}
