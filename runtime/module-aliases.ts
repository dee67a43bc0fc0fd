// The other names of modules: packages that are another build of one, paths into packages, and forms that a project's
// own files would have.
import { IMPORTABLE } from "./jsx-modules.ts";

/** The module, and the names of the same. */
export const ALIASES: Readonly<Record<string, readonly string[]>> = {
  "react-router": ["react-router-dom", "react-router/dom"],
  "plotly.js": [
    ...["dist", "dist-min", "basic-dist", "basic-dist-min", "cartesian-dist", "cartesian-dist-min"].map(
      (build) => `plotly.js-${build}`,
    ),
    ...["plotly.js-strict-dist-min", "plotly.js/dist/plotly", "plotly.js/dist/plotly.min"],
  ],
  html2canvas: ["html2canvas-pro"],
  xlsx: ["@e965/xlsx", "xlsx/xlsx.mjs", "xlsx/dist/xlsx.full.min"],
  "chart.js/auto": ["chart.js/auto/auto"],
  "html2pdf.js": ["html2pdf.js/dist/html2pdf", "html2pdf.js/dist/html2pdf.min", "html2pdf.js/dist/html2pdf.bundle.min"],
  jspdf: ["jspdf/dist/jspdf.es.min", "jspdf/dist/jspdf.umd.min"],
  "framer-motion": ["framer-motion/dist/framer-motion"],
};

/** Characters: none that a document means is longer. */
const longestName = 300;

const importable = new Set(IMPORTABLE);
const aliases = new Map(Object.entries(ALIASES).flatMap(([name, others]) => others.map((other) => [other, name])));

/** The module's own name for what a document writes; an unknown name as it is. */
export function canonicalName(specifier: string): string {
  if (importable.has(specifier) || specifier.length > longestName) return specifier;
  const plain = specifier.replace(/\.(?:[cm]?[jt]s|[jt]sx)$/, "");
  const name = aliases.get(specifier) ?? aliases.get(plain) ?? inPackage(plain) ?? besideDocument(plain);
  return name !== undefined && importable.has(name) ? name : specifier;
}

export const isImportable = (specifier: string): boolean => importable.has(canonicalName(specifier));

/** A path within a package, which has two names or an ending. */
function inPackage(path: string): string | undefined {
  if (path.startsWith("three/examples/jsm/")) return path.replace("three/examples/jsm/", "three/addons/");
  if (path.startsWith("lodash-es")) return path.replace("lodash-es", "lodash");
  return /^(?:three|lodash|chart\.js|next)\//.test(path) ? path : undefined;
}

/** The components by the path that they have in their author's project, which may be relative or from its root. */
function besideDocument(path: string): string | undefined {
  const [, folder, name] = /^(?:[@~]|src|\.{1,2})\/(?:[\w./-]*\/)?(ui|lib|hooks)\/([\w-]+)$/.exec(path) ?? [];
  if (folder === undefined) return undefined;
  return folder === "ui" ? `@/components/ui/${name}` : `@/${folder}/${name}`;
}
