// From a URL to the files of npm packages that it stands for: a table of hosts whose URLs have a grammar, and the table of
// projects' own sites (project-sites.txt). Pure.
import type { ReferenceUse } from "../reference.ts";
import { dataTablesBuild } from "./datatables-build.ts";
import { googleFonts } from "./google-fonts.ts";
import { cdnjs, googleLibraries, mirrored } from "./library-cdns.ts";
import { esmRun, esmSh, jsdelivr, jspm, npm, skypack, unpkg, type Use } from "./npm-cdns.ts";
import type { Mapping } from "./package-file.ts";
import { nothing, siteFile, tailwind } from "./project-sites.ts";

type Grammar = (url: URL, use: Use) => Mapping;

const hosts: Readonly<Record<string, Grammar>> = {
  "ajax.googleapis.com": googleLibraries,
  "ajax.loli.net": googleLibraries,
  "cdn.bootcdn.net": cdnjs,
  "cdn.bootcss.com": mirrored,
  "cdn.datatables.net": dataTablesBuild,
  "cdn.jsdmirror.com": jsdelivr,
  "cdn.polyfill.io": nothing,
  "cdn.skypack.dev": skypack,
  "cdn.staticfile.net": mirrored,
  "cdn.staticfile.org": mirrored,
  "cdn.tailwindcss.com": tailwind,
  "cdnjs.cloudflare.com": cdnjs,
  "cdnjs.loli.net": cdnjs,
  "esm.run": esmRun,
  "esm.sh": esmSh,
  "fonts.bunny.net": googleFonts,
  "fonts.font.im": googleFonts,
  "fonts.googleapis.cn": googleFonts,
  "fonts.googleapis.com": googleFonts,
  "fonts.loli.net": googleFonts,
  "ga.jspm.io": jspm,
  "jspm.dev": jspm,
  "lib.baomitu.com": mirrored,
  "libs.baidu.com": mirrored,
  "mirrors.sustech.edu.cn": cdnjs,
  "npm.elemecdn.com": unpkg,
  "polyfill-fastly.io": nothing,
  "polyfill.io": nothing,
  "s4.zstatic.net": cdnjs,
  "unpkg.com": unpkg,
  "unpkg.zhimg.com": unpkg,
};

function grammarOf(hostname: string): Grammar | undefined {
  if (Object.hasOwn(hosts, hostname)) return hosts[hostname];
  if (hostname.endsWith(".jsdelivr.net")) return jsdelivr;
  return /^lf\d+-cdn-tos\.bytecdntp\.com$/.test(hostname) ? mirrored : undefined;
}

/** @returns null for a URL of no known grammar: it is no package, and stays as it is */
export function mapUrl(text: string, use: ReferenceUse): Mapping {
  const url = URL.parse(text);
  if (url === null || url.port !== "" || url.username !== "" || url.password !== "") return null;
  if (url.protocol === "npm:") return npm(url, use === "style" ? "style" : "other");
  // CDNs serve a path with two slashes as that with one.
  url.pathname = url.pathname.replaceAll(/\/{2,}/g, "/");
  if (use === "amd") return loaderPath(url);
  if (use === "folder") return wholeFolder(url);
  return mapped(url, use === "style" ? "style" : use === "prefix" ? "folder" : "other");
}

function wholeFolder(url: URL): Mapping {
  const mapping = mapped(url, "folder");
  const isFolder = mapping?.every(({ find }) => find.by === "folder") === true;
  return isFolder ? mapping.map((wanted) => ({ ...wanted, isWhole: true as const })) : null;
}

const mapped = (url: URL, use: Use): Mapping => siteFile(url) ?? grammarOf(url.hostname)?.(url, use) ?? null;

/** A path of a module loader, to which it adds `.js`, or more of a path and that. */
function loaderPath(url: URL): Mapping {
  if (!url.pathname.endsWith(".js")) url.pathname += ".js";
  const mapping = mapped(url, "other");
  const isFile = mapping?.every(({ find }) => find.by === "path" || find.by === "ending") === true;
  return isFile ? mapping.map((wanted) => ({ ...wanted, orFolder: true as const })) : null;
}
