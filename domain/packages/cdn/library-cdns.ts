// CDNs with their own names for libraries: cdnjs and Google's hosted libraries.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { fileOf, type Mapping } from "./package-file.ts";

/**
 * cdnjs has three.js as `r128`, npm as `0.128.0`. The releases of jQuery 1.9, 1.10 and 2.0 are on npm without files for
 * browsers, or not at all: the next minor version stands for them, which is compatible.
 */
export function npmVersion(name: string, version: string): string {
  if (name === "three") return version.replace(/^r(\d+)$/, "0.$1.0");
  if (name === "jquery" && /^1\.(?:9|10)\.\d+$/.test(version)) return "1.11.0";
  return name === "jquery" && /^2\.0\.\d+$/.test(version) ? "2.1.0" : version;
}

interface Library {
  readonly name: string;
  /** The package's folder that the library's files are in; empty for its root. */
  readonly folder: string;
}

/**
 * Libraries that cdnjs takes from git and that are packages too, each looked at. A library that is in neither list is
 * refused: npm's package of that name may be another author's.
 */
const fromGit: Readonly<Record<string, string>> = {
  ace: "ace-builds src-min-noconflict",
  "animate.css": "animate.css",
  c3: "c3",
  "crypto-js": "crypto-js",
  cytoscape: "cytoscape dist",
  "d3-cloud": "d3-cloud build",
  "dat-gui": "dat.gui build",
  dompurify: "dompurify dist",
  "fabric.js": "fabric dist",
  gsap: "gsap dist",
  "hammer.js": "hammerjs",
  howler: "howler dist",
  jspdf: "jspdf dist",
  jszip: "jszip dist",
  "lodash.js": "lodash",
  mathjax: "mathjax",
  "matter-js": "matter-js build",
  nvd3: "nvd3 build",
  pako: "pako dist",
  PapaParse: "papaparse",
  "paper.js": "paper dist",
  "plotly.js": "plotly.js-dist-min",
  raphael: "raphael",
  "require.js": "requirejs",
  "reveal.js": "reveal.js dist",
  showdown: "showdown dist",
  Sortable: "sortablejs",
  "stats.js": "stats.js build",
  "toastr.js": "toastr",
  "two.js": "two.js build",
  "underscore.js": "underscore",
};

/** Libraries that changed their package: up to this major version the older one. */
const formerly: Readonly<Record<string, { readonly until: number } & Library>> = {
  "font-awesome": { until: 4, name: "font-awesome", folder: "" },
  "highlight.js": { until: 9, name: "highlightjs", folder: "" },
  "three.js": { until: 0, name: "three", folder: "build" },
};

let libraries: ReadonlyMap<string, Library> | null = null;

/**
 * The libraries that cdnjs itself takes from npm: `library package folder`, `=` for a package of the same name. From
 * https://github.com/cdnjs/packages (MIT) at commit 7ffef92d, each file's `autoupdate` of source npm.
 */
function cdnjsLibraries(): ReadonlyMap<string, Library> {
  libraries ??= new Map(
    readFileSync(join(import.meta.dir, "cdnjs-libraries.txt"), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => {
        const [library = "", name = "", folder = ""] = line.split(" ");
        return [library, { name: name === "=" ? library : name, folder }];
      }),
  );
  return libraries;
}

/** `/ajax/libs/<library>/<version>/<path>` of cdnjs, and of mirrors that have it below a folder. */
export function cdnjs({ pathname }: URL): Mapping {
  if (pathname.startsWith("/polyfill/")) return [];
  const [, rest = ""] = /^(?:\/cdnjs)?\/ajax\/libs\/(.+)$/.exec(pathname) ?? [];
  return ofLibrary(rest);
}

/** Mirrors of cdnjs without its first folders: `/<library>/<version>/<path>`, `/cdn/expire-1-M/<library>/…`. */
export const mirrored = ({ pathname }: URL): Mapping =>
  ofLibrary(pathname.replace(/^\/(?:cdn\/(?:expire-[^/]+\/)?)?(?:ajax\/libs\/)?/, ""));

function ofLibrary(text: string): Mapping {
  const [, library = "", version = "", path = ""] = /^([^/]+)\/([^/]+)\/(.*)$/.exec(text) ?? [];
  const found = cdnjsLibrary(library, version);
  if (found === null) return null;
  const { name, folder } = found;
  const file = loadedFile(name, path);
  return fileOf(name, npmVersion(name, version), folder === "" ? file : `${folder}/${file}`, "ending");
}

/** MathJax's `latest.js` asks a site for the latest version of the second and loads it. */
const loadedFile = (name: string, path: string): string =>
  name === "mathjax" && path === "latest.js" ? "MathJax.js" : path;

function cdnjsLibrary(library: string, version: string): Library | null {
  const former = Object.hasOwn(formerly, library) ? formerly[library] : undefined;
  if (former !== undefined && Number.parseInt(version, 10) <= former.until) return former;
  const git = Object.hasOwn(fromGit, library) ? fromGit[library] : undefined;
  if (git === undefined) return cdnjsLibraries().get(library) ?? null;
  const [name = "", folder = ""] = git.split(" ");
  return { name, folder };
}

const google: Readonly<Record<string, Library>> = {
  angularjs: { name: "angular", folder: "" },
  d3js: { name: "d3", folder: "dist" },
  jquery: { name: "jquery", folder: "dist" },
  jquerymobile: { name: "jquery-mobile", folder: "dist" },
  jqueryui: { name: "jquery-ui", folder: "dist" },
  threejs: { name: "three", folder: "build" },
  webfont: { name: "webfontloader", folder: "" },
};

/** `/ajax/libs/<library>/<version>/<path>` of Google; `1` and `1.12` stand for the newest of them. */
export function googleLibraries({ pathname }: URL): Mapping {
  const [, library = "", version = "", path = ""] = /^\/ajax\/libs\/([^/]+)\/([^/]+)\/(.+)$/.exec(pathname) ?? [];
  const found = Object.hasOwn(google, library) ? google[library] : undefined;
  if (found === undefined) return null;
  return fileOf(
    found.name,
    npmVersion(found.name, version),
    found.folder === "" ? path : `${found.folder}/${path}`,
    "ending",
  );
}
