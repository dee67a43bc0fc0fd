// From a URL to the files of npm packages that it stands for: one table of hosts. Pure.
import type { ReferenceUse } from "../reference.ts";
import { googleFonts } from "./google-fonts.ts";
import { cdnjs, googleLibraries } from "./library-cdns.ts";
import { esmRun, esmSh, jsdelivr, jspm, npm, skypack, unpkg } from "./npm-cdns.ts";
import * as site from "./project-sites.ts";
import type { Mapping } from "./wanted.ts";

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
