// Packages whose scripts load more files by names that no parser finds: the folders of theirs that are kept with them, and
// the packages that they take from a CDN that they choose.
import { satisfies } from "semver";

import { packageAddress } from "./address.ts";
import type { Wanted } from "./cdn/package-file.ts";
import type { LockEntry, LockedFile } from "./lock.ts";

interface Companions {
  readonly name: string;
  readonly range: string;
  /** Beginnings of paths. */
  readonly paths: readonly string[];
  /** Where the path of the wanted file decides. */
  readonly of?: RegExp;
}

const companions: readonly Companions[] = [
  { name: "ace-builds", range: "*", paths: ["src-min-noconflict/"] },
  { name: "leaflet", range: "*", paths: ["dist/images/"] },
  {
    name: "mathjax",
    range: "2",
    paths: ["config/", "extensions/", "jax/element/", "jax/input/", "jax/output/", "fonts/HTML-CSS/TeX/woff/"],
  },
  { name: "mathjax", range: "3", paths: ["es5/input/", "es5/output/", "es5/ui/", "es5/a11y/"] },
  {
    name: "mathjax",
    range: "4",
    paths: [
      ...["a11y/", "input/", "output/", "ui/", "sre/speech-worker.js"],
      // The words of other languages would be most of the package.
      ...["sre/mathmaps/base.json", "sre/mathmaps/en.json", "sre/mathmaps/nemeth.json"],
    ],
  },
  { name: "@mathjax/mathjax-newcm-font", range: "*", paths: ["chtml/", "chtml.js"], of: /^chtml\/$/ },
  { name: "@mathjax/mathjax-newcm-font", range: "*", paths: ["svg/", "svg.js"], of: /^svg\/$/ },
  { name: "monaco-editor", range: "*", paths: ["min/vs/"] },
  { name: "pdfjs-dist", range: "<4", paths: ["build/pdf.worker.js", "build/pdf.worker.min.js"] },
  { name: "pdfjs-dist", range: ">=4", paths: ["build/pdf.worker.mjs", "build/pdf.worker.min.mjs"] },
  { name: "pyodide", range: "*", paths: ["pyodide", "python_stdlib.zip"] },
  { name: "tinymce", range: "*", paths: ["icons/", "models/", "plugins/", "skins/", "themes/"] },
];

/** The paths that belong to the chosen ones of a package. */
export function companionsOf(
  { name, version }: Pick<LockedFile, "name" | "version">,
  chosen: readonly string[],
  paths: readonly string[],
): string[] {
  const beginnings = companions
    .filter((one) => one.name === name && satisfies(version, one.range, { includePrerelease: true }))
    .filter(({ of }) => of === undefined || chosen.some((path) => of.test(path)))
    .flatMap((one) => one.paths);
  return paths.filter((path) => beginnings.some((beginning) => path.startsWith(beginning)));
}

/** What a kept script takes from another package, each as a folder of it. */
export function companionPackages({ name, version, path }: LockedFile): Wanted[] {
  if (name !== "mathjax" || !satisfies(version, "4", { includePrerelease: true }) || /nofont/.test(path)) return [];
  const folder = path.includes("svg") ? "svg/" : "chtml/";
  return [{ name: "@mathjax/mathjax-newcm-font", range: version, find: { by: "folder", path: folder }, isPart: true }];
}

/** An expression that tells a script where its packages are, to run before it does; null where there is nothing to tell. */
export function settingsFor({ companions: packages = [] }: LockEntry): string | null {
  const font = packages.find(({ name }) => name === "@mathjax/mathjax-newcm-font");
  return font === undefined ? null : mathjaxSettings(packageAddress({ ...font, path: "" }).replace(/\/$/, ""));
}

/**
 * MathJax 4 takes its font from a CDN unless its configuration names a place. A document sets that configuration before its
 * script, or after it where the script is loaded late: so the place is added to each configuration that is set.
 */
const mathjaxSettings = (address: string): string =>
  `(function(w,p){function s(v){if(v&&typeof v=="object"&&!v.version){var l=v.loader=v.loader||{};` +
  `l.paths=Object.assign({"mathjax-newcm":p},l.paths)}return v}var c=s(w.MathJax||{});` +
  `Object.defineProperty(w,"MathJax",{configurable:true,enumerable:true,get:function(){return c},` +
  `set:function(v){c=s(v)}})})(window,${JSON.stringify(address)})`;
