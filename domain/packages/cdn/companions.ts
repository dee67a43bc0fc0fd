// Packages whose scripts load more files of the package by names that no parser finds.
import { satisfies } from "semver";

const companions: readonly { readonly name: string; readonly range: string; readonly folders: readonly string[] }[] = [
  { name: "ace-builds", range: "*", folders: ["src-min-noconflict/"] },
  { name: "leaflet", range: "*", folders: ["dist/images/"] },
  {
    name: "mathjax",
    range: "2",
    folders: ["config/", "extensions/", "jax/element/", "jax/input/", "jax/output/", "fonts/HTML-CSS/TeX/woff/"],
  },
  { name: "mathjax", range: "3", folders: ["es5/input/", "es5/output/", "es5/ui/", "es5/a11y/"] },
  { name: "monaco-editor", range: "*", folders: ["min/vs/"] },
  { name: "tinymce", range: "*", folders: ["icons/", "models/", "plugins/", "skins/", "themes/"] },
];

/** The folders, each with a slash at the end, that are kept with any file of the package. */
export const companionFolders = (name: string, version: string): readonly string[] =>
  companions.filter((one) => one.name === name && satisfies(version, one.range)).flatMap(({ folders }) => folders);
