// Sites on which projects offer their own files.
import { npmVersion } from "./library-cdns.ts";
import { fileOf, type Mapping } from "./package-file.ts";

/** `jquery-3.7.1.min.js`, `jquery-latest.js` (which stayed at 1.11.1), `/ui/1.13.2/jquery-ui.min.js`. */
export function jquery({ pathname }: URL): Mapping {
  const [, version, ending = ""] = /^\/jquery-(\d[\d.]*|latest)((?:\.slim)?(?:\.min)?\.js)$/.exec(pathname) ?? [];
  if (version !== undefined)
    return fileOf(
      "jquery",
      version === "latest" ? "1.11.1" : npmVersion("jquery", version),
      `dist/jquery${ending}`,
      "ending",
    );
  const [, ui = "", path = ""] = /^\/ui\/(\d[\d.]*)\/(.+)$/.exec(pathname) ?? [];
  return ui === "" ? null : fileOf("jquery-ui", ui, `dist/${path}`, "ending");
}

/** `d3.v7.min.js`, `d3.v7.8.5.js`, and plugins (`d3-force.v3.min.js`, which are packages of their names). */
export function d3({ pathname }: URL): Mapping {
  const [, name = "", version = "", ending = ""] =
    /^\/(d3(?:-[a-z-]+)?)\.v(\d[\d.]*?)((?:\.min)?\.js)$/.exec(pathname) ?? [];
  return name === "" ? null : fileOf(name, version, `dist/${name}${ending}`, "ending");
}

/** `plotly-2.35.2.min.js`, `plotly-basic-2.35.2.min.js`, and `plotly-latest.min.js`, which stayed at 1.58.5. */
export function plotly({ pathname }: URL): Mapping {
  const [, bundle = "", version = "", min = ""] =
    /^\/plotly-(?:([a-z\d]+)-)?(\d[\d.]*\d|latest)(\.min)?\.js$/.exec(pathname) ?? [];
  if (version === "") return null;
  const part = bundle === "" ? "" : `-${bundle}`;
  const name = `plotly.js${part}-dist${min === "" ? "" : "-min"}`;
  return fileOf(name, version === "latest" ? "1.58.5" : version, `plotly${part}${min}.js`);
}

/** `/bokeh/release/bokeh-widgets-3.4.0.min.js`; before 2.0 Bokeh had another package. */
export function bokeh({ pathname }: URL): Mapping {
  const [, part = "", version = "", ending = ""] =
    /^\/bokeh\/release\/(bokeh(?:-[a-z]+)?)-(\d[\w.]*?)((?:\.min)?\.(?:js|css))$/.exec(pathname) ?? [];
  if (part === "") return null;
  const name = Number.parseInt(version, 10) < 2 ? "bokehjs" : "@bokeh/bokehjs";
  return fileOf(name, version, `build/js/${part}${ending}`, "ending");
}

/** MathJax's older sites have its second version alone. */
export const mathjax = ({ pathname }: URL): Mapping => {
  const [, version = "", path = ""] = /^\/(?:mathjax\/)?(latest|2\.\d[\d.-]*)\/(.+)$/.exec(pathname) ?? [];
  return path === "" ? null : fileOf("mathjax", version === "latest" ? "2" : version.replace("-latest", ""), path);
};

/** `/bootstrap/4.5.2/css/bootstrap.min.css`, `/font-awesome/4.7.0/…`, `/bootswatch/…`. */
export function bootstrapCdn({ pathname }: URL): Mapping {
  const [, name = "", version = "", path = ""] =
    /^\/(bootstrap|font-awesome|bootswatch|bootstrap-icons)\/([^/]+)\/(.+)$/.exec(pathname) ?? [];
  if (name === "") return null;
  return fileOf(name, version, name === "font-awesome" ? path : `dist/${path}`, "ending");
}

/**
 * SheetJS left npm at 0.18.5; `@e965/xlsx` has its later releases, byte for byte. `xlsx-latest` is the newest of them.
 */
export function sheetjs({ pathname }: URL): Mapping {
  const [, version = "", path = ""] = /^\/xlsx-(\d[\d.]*|latest)\/package\/(.+)$/.exec(pathname) ?? [];
  return path === "" ? null : fileOf("@e965/xlsx", version === "latest" ? "" : version, path);
}

/** Tailwind's third version for browsers; its exact versions are on npm in part, so the nearest newer one is meant. */
export function tailwind({ pathname }: URL): Mapping {
  const [, version = ""] = /^\/(3(?:\.\d+){0,2})?$/.exec(pathname) ?? ["", "none"];
  if (version === "none") return null;
  return [
    { name: "tailwindcss-cdn", range: "3", find: { by: "entry", fields: ["jsdelivr", "unpkg", "browser", "main"] } },
  ];
}

/** `/releases/v5.15.4/css/all.css`. */
export function fontAwesome({ pathname }: URL): Mapping {
  const [, version = "", path = ""] = /^\/releases\/v(\d[\d.]*)\/(.+)$/.exec(pathname) ?? [];
  return path === "" ? null : fileOf("@fortawesome/fontawesome-free", version, path);
}

/** Polyfills for browsers that no longer exist: an empty script. */
export const nothing = (): Mapping => [];
