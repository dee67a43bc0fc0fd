// The package files of URLs. The first table has each distinct CDN URL of a collection of documents by strangers, the
// second the forms that CDNs document.
import { expect, test } from "bun:test";

import type { ReferenceUse } from "../reference.ts";
import { mapUrl } from "./map-url.ts";

/** A mapping in short: `name@range` and how the file is found. */
function short(url: string, use: ReferenceUse = "script") {
  const mapping = mapUrl(url, use);
  return (
    mapping?.map(({ name, range, find }) => {
      const file = find.by === "entry" ? find.fields[0] : find.path;
      return `${name}@${range} ${find.by} ${file}`;
    }) ?? null
  );
}

const inter = (...weights: number[]) => weights.map((weight) => `@fontsource/inter@ path ${weight}.css`);
const fonts = (name: string, ...faces: (string | number)[]) =>
  faces.map((face) => `@fontsource/${name}@ path ${face}.css`);

const seen: readonly (readonly [string, readonly string[] | null])[] = [
  ["https://cdn.jsdelivr.net/npm/gsap@3.14.2/dist/gsap.min.js", ["gsap@3.14.2 path dist/gsap.min.js"]],
  ["https://cdn.jsdelivr.net/npm/lit@3.1.1/+esm", ["lit@3.1.1 bundle "]],
  ["https://cdn.jsdelivr.net/npm/mermaid@10/dist/mermaid.esm.min.mjs", ["mermaid@10 path dist/mermaid.esm.min.mjs"]],
  ["https://cdn.jsdelivr.net/npm/reveal.js@5.1.0/dist/reveal.css", ["reveal.js@5.1.0 path dist/reveal.css"]],
  ["https://cdn.jsdelivr.net/npm/reveal.js@5.1.0/dist/reveal.js", ["reveal.js@5.1.0 path dist/reveal.js"]],
  ["https://cdn.jsdelivr.net/npm/reveal.js@5.1.0/dist/theme/white.css", ["reveal.js@5.1.0 path dist/theme/white.css"]],
  [
    "https://cdn.jsdelivr.net/npm/reveal.js@5.1.0/plugin/markdown/markdown.js",
    ["reveal.js@5.1.0 path plugin/markdown/markdown.js"],
  ],
  [
    "https://cdn.sheetjs.com/xlsx-0.20.3/package/dist/xlsx.full.min.js",
    ["@e965/xlsx@0.20.3 path dist/xlsx.full.min.js"],
  ],
  ["https://cdn.tailwindcss.com", ["tailwindcss-cdn@3 entry jsdelivr"]],
  ["https://cdnjs.cloudflare.com/ajax/libs/d3/7.8.5/d3.min.js", ["d3@7.8.5 ending dist/d3.min.js"]],
  ["https://cdnjs.cloudflare.com/ajax/libs/jquery/2.0.3/jquery.min.js", ["jquery@2.1.0 ending dist/jquery.min.js"]],
  [
    "https://cdnjs.cloudflare.com/ajax/libs/mathjax/2.7.5/latest.js?config=TeX-AMS_HTML",
    ["mathjax@2.7.5 ending MathJax.js"],
  ],
  [
    "https://cdnjs.cloudflare.com/ajax/libs/mathjax/2.7.7/latest.js?config=TeX-MML-AM_CHTML-full,Safe",
    ["mathjax@2.7.7 ending MathJax.js"],
  ],
  [
    "https://cdnjs.cloudflare.com/ajax/libs/require.js/2.1.10/require.min.js",
    ["requirejs@2.1.10 ending require.min.js"],
  ],
  ["https://code.jquery.com/jquery-3.5.1.min.js", ["jquery@3.5.1 ending dist/jquery.min.js"]],
  ["https://d3js.org/d3.v6.min.js", ["d3@6 ending dist/d3.min.js"]],
  ["https://esm.sh/lit@3", ["lit@3 bundle "]],
  [
    "https://fonts.googleapis.com/css2?family=Archivo+Black&family=Archivo:wght@400;500;600;700&family=JetBrains+Mono:wght@400;500;600&display=swap",
    [
      ...fonts("archivo-black", 400),
      ...fonts("archivo", 400, 500, 600, 700),
      ...fonts("jetbrains-mono", 400, 500, 600),
    ],
  ],
  [
    "https://fonts.googleapis.com/css2?family=Caveat:wght@500;700&family=Patrick+Hand&family=DM+Serif+Display&family=IBM+Plex+Mono:wght@400;500&display=swap",
    [
      ...fonts("caveat", 500, 700),
      ...fonts("patrick-hand", 400),
      ...fonts("dm-serif-display", 400),
      ...fonts("ibm-plex-mono", 400, 500),
    ],
  ],
  [
    "https://fonts.googleapis.com/css2?family=Cormorant+Garamond:wght@400;500;600&family=Inter:wght@300;400;500;600&display=swap",
    [...fonts("cormorant-garamond", 400, 500, 600), ...inter(300, 400, 500, 600)],
  ],
  [
    "https://fonts.googleapis.com/css2?family=DM+Sans:ital,opsz,wght@0,9..40,300;0,9..40,400;0,9..40,500;0,9..40,600;0,9..40,700&family=Space+Mono:wght@400;700&display=swap",
    [...fonts("dm-sans", 300, 400, 500, 600, 700), ...fonts("space-mono", 400, 700)],
  ],
  [
    "https://fonts.googleapis.com/css2?family=DM+Sans:wght@300;400;500;600&family=DM+Mono:wght@400;500&display=swap",
    [...fonts("dm-sans", 300, 400, 500, 600), ...fonts("dm-mono", 400, 500)],
  ],
  [
    "https://fonts.googleapis.com/css2?family=Instrument+Serif:ital@0;1&family=IBM+Plex+Mono:wght@400;500&display=swap",
    [...fonts("instrument-serif", 400, "400-italic"), ...fonts("ibm-plex-mono", 400, 500)],
  ],
  ["https://fonts.googleapis.com/css2?family=Inter:wght@300;400;500;600&display=swap", inter(300, 400, 500, 600)],
  [
    "https://fonts.googleapis.com/css2?family=Inter:wght@400;500;600;700;800&family=Noto+Sans+SC:wght@400;500;700;800&display=swap",
    [...inter(400, 500, 600, 700, 800), ...fonts("noto-sans-sc", 400, 500, 700, 800)],
  ],
  ["https://fonts.googleapis.com/css2?family=Inter:wght@400;600;700;800&display=swap", inter(400, 600, 700, 800)],
  [
    "https://fonts.googleapis.com/css2?family=JetBrains+Mono:wght@300;400;500;700&family=Inter:wght@300;400;500;600;700&display=swap",
    [...fonts("jetbrains-mono", 300, 400, 500, 700), ...inter(300, 400, 500, 600, 700)],
  ],
  [
    "https://fonts.googleapis.com/css2?family=Poppins:wght@500;600&family=Lora:wght@400;500&display=swap",
    [...fonts("poppins", 500, 600), ...fonts("lora", 400, 500)],
  ],
  [
    "https://fonts.googleapis.com/css2?family=Space+Grotesk:wght@500;700;800&family=JetBrains+Mono:wght@400;700&display=swap",
    [...fonts("space-grotesk", 500, 700, 800), ...fonts("jetbrains-mono", 400, 700)],
  ],
  ["https://giscus.app/client.js", null],
  ["https://mathjax.rstudio.com/latest/MathJax.js?config=TeX-AMS-MML_HTMLorMML", ["mathjax@2 path MathJax.js"]],
  ["https://unpkg.com/@babel/standalone/babel.min.js", ["@babel/standalone@ path babel.min.js"]],
  [
    "https://unpkg.com/@chrisoakman/chessboardjs@1.0.0/dist/chessboard-1.0.0.min.css",
    ["@chrisoakman/chessboardjs@1.0.0 path dist/chessboard-1.0.0.min.css"],
  ],
  [
    "https://unpkg.com/@chrisoakman/chessboardjs@1.0.0/dist/chessboard-1.0.0.min.js",
    ["@chrisoakman/chessboardjs@1.0.0 path dist/chessboard-1.0.0.min.js"],
  ],
  ["https://unpkg.com/leaflet@1.9.4/dist/leaflet.css", ["leaflet@1.9.4 path dist/leaflet.css"]],
  ["https://unpkg.com/leaflet@1.9.4/dist/leaflet.js", ["leaflet@1.9.4 path dist/leaflet.js"]],
  [
    "https://unpkg.com/react-dom@18/umd/react-dom.production.min.js",
    ["react-dom@18 path umd/react-dom.production.min.js"],
  ],
  ["https://unpkg.com/react@18/umd/react.production.min.js", ["react@18 path umd/react.production.min.js"]],
  ["https://unpkg.com/three@0.160.0/build/three.module.js", ["three@0.160.0 path build/three.module.js"]],
  ["https://unpkg.com/three@0.160.0/examples/jsm/", ["three@0.160.0 folder examples/jsm/"]],
  ["https://unpkg.com/vue@3/dist/vue.global.js", ["vue@3 path dist/vue.global.js"]],
];

const documented: typeof seen = [
  ["https://cdn.jsdelivr.net/npm/@tailwindcss/browser@4", ["@tailwindcss/browser@4 entry jsdelivr"]],
  ["https://cdn.jsdelivr.net/npm/chart.js", ["chart.js@ entry jsdelivr"]],
  ["https://cdn.jsdelivr.net/npm/vue@%5E3.4/dist/vue.js", ["vue@^3.4 path dist/vue.js"]],
  [
    "https://cdn.jsdelivr.net/combine/npm/vue@3/dist/vue.js,npm/d3@7",
    ["vue@3 path dist/vue.js", "d3@7 entry jsdelivr"],
  ],
  ["https://cdn.jsdelivr.net/combine/npm/vue@3,gh/a/b/c.js", null],
  ["https://cdn.jsdelivr.net/gh/someone/repository@1.0/x.js", null],
  ["https://unpkg.com/@scope/name?module", ["@scope/name@ bundle "]],
  ["https://unpkg.com/htmx.org@next/dist/htmx.js", ["htmx.org@next path dist/htmx.js"]],
  ["https://esm.sh/react-dom@18.2.0/client", ["react-dom@18.2.0 bundle client"]],
  ["https://esm.sh/v135/*@scope/a@1/es2022/a.mjs", ["@scope/a@1 bundle "]],
  ["https://esm.sh/gh/someone/repository", null],
  ["https://esm.run/d3@7", ["d3@7 bundle "]],
  ["https://cdn.skypack.dev/canvas-confetti", ["canvas-confetti@ bundle "]],
  [
    "https://cdn.skypack.dev/pin/preact@v10.5.7-1Kf7tVaBLbTTlLRK2XyX/mode=imports/optimized/preact.js",
    ["preact@10.5.7 bundle "],
  ],
  ["https://ga.jspm.io/npm:lit@3.1.0/index.js", ["lit@3.1.0 bundle index.js"]],
  [
    "https://cdnjs.cloudflare.com/ajax/libs/font-awesome/6.4.0/css/all.min.css",
    ["@fortawesome/fontawesome-free@6.4.0 ending css/all.min.css"],
  ],
  [
    "https://cdnjs.cloudflare.com/ajax/libs/font-awesome/4.7.0/css/font-awesome.min.css",
    ["font-awesome@4.7.0 ending css/font-awesome.min.css"],
  ],
  ["https://cdnjs.cloudflare.com/ajax/libs/three.js/r128/three.min.js", ["three@0.128.0 ending build/three.min.js"]],
  ["https://cdnjs.cloudflare.com/ajax/libs/no-such-library/1.0.0/x.js", null],
  ["https://cdnjs.cloudflare.com/ajax/libs/constructor/1.0.0/x.js", null],
  ["https://cdnjs.cloudflare.com/polyfill/v3/polyfill.min.js?features=es6", []],
  ["https://polyfill.io/v3/polyfill.min.js", []],
  ["https://ajax.googleapis.com/ajax/libs/jquery/3.7.1/jquery.min.js", ["jquery@3.7.1 ending dist/jquery.min.js"]],
  ["https://code.jquery.com/jquery-1.10.2.min.js", ["jquery@1.11.0 ending dist/jquery.min.js"]],
  ["https://code.jquery.com/jquery-latest.min.js", ["jquery@1.11.1 ending dist/jquery.min.js"]],
  ["https://code.jquery.com/ui/1.13.2/jquery-ui.min.js", ["jquery-ui@1.13.2 ending dist/jquery-ui.min.js"]],
  ["https://d3js.org/d3.v7.8.5.js", ["d3@7.8.5 ending dist/d3.js"]],
  ["https://d3js.org/d3-force.v3.min.js", ["d3-force@3 ending dist/d3-force.min.js"]],
  ["https://cdn.plot.ly/plotly-2.35.2.min.js", ["plotly.js-dist-min@2.35.2 path plotly.min.js"]],
  ["https://cdn.plot.ly/plotly-basic-2.35.2.js", ["plotly.js-basic-dist@2.35.2 path plotly-basic.js"]],
  ["https://cdn.plot.ly/plotly-latest.min.js", ["plotly.js-dist-min@1.58.5 path plotly.min.js"]],
  [
    "https://cdn.bokeh.org/bokeh/release/bokeh-widgets-3.4.0.min.js",
    ["@bokeh/bokehjs@3.4.0 ending build/js/bokeh-widgets.min.js"],
  ],
  ["https://cdn.bokeh.org/bokeh/release/bokeh-1.4.0.min.css", ["bokehjs@1.4.0 ending build/js/bokeh.min.css"]],
  [
    "https://maxcdn.bootstrapcdn.com/bootstrap/4.5.2/css/bootstrap.min.css",
    ["bootstrap@4.5.2 ending dist/css/bootstrap.min.css"],
  ],
  ["https://cdn.tailwindcss.com/3.4.1?plugins=forms", ["tailwindcss-cdn@3 path tailwindcss-with-forms.js"]],
  ["https://cdn.tailwindcss.com?plugins=typography@0.5.10", ["tailwindcss-cdn@3 path tailwindcss-with-typography.js"]],
  [
    "https://cdn.tailwindcss.com?plugins=forms,typography,aspect-ratio,line-clamp",
    ["tailwindcss-cdn@3 path tailwindcss-with-all-plugins.js"],
  ],
  ["https://cdn.tailwindcss.com?plugins=line-clamp", ["tailwindcss-cdn@3 entry jsdelivr"]],
  ["https://cdn.tailwindcss.com/4.1?plugins=forms", null],
  ["https://unpkg.com/reveal.js@^4//dist/reveal.js", ["reveal.js@^4 path dist/reveal.js"]],
  ["https://cdn.jsdelivr.net/npm//vega@5", ["vega@5 entry jsdelivr"]],
  ["https://cdnjs.cloudflare.com//ajax/libs/jquery//3.7.1/jquery.min.js", ["jquery@3.7.1 ending dist/jquery.min.js"]],
  ["https://testingcf.jsdelivr.net/npm/vue@3/dist/vue.global.js", ["vue@3 path dist/vue.global.js"]],
  ["https://cdn.bootcdn.net/ajax/libs/vue/2.7.9/vue.min.js", ["vue@2.7.9 ending dist/vue.min.js"]],
  ["https://cdn.bootcss.com/jquery/3.4.1/jquery.min.js", ["jquery@3.4.1 ending dist/jquery.min.js"]],
  ["https://cdn.staticfile.org/echarts/4.3.0/echarts.min.js", ["echarts@4.3.0 ending dist/echarts.min.js"]],
  ["https://cdn.staticfile.net/vue/3.3.4/vue.global.js", ["vue@3.3.4 ending dist/vue.global.js"]],
  ["https://lib.baomitu.com/KaTeX/0.16.9/katex.min.css", ["katex@0.16.9 ending dist/katex.min.css"]],
  ["https://cdnjs.loli.net/ajax/libs/d3/7.8.5/d3.min.js", ["d3@7.8.5 ending dist/d3.min.js"]],
  [
    "https://lf26-cdn-tos.bytecdntp.com/cdn/expire-1-M/echarts/5.3.0/echarts.min.js",
    ["echarts@5.3.0 ending dist/echarts.min.js"],
  ],
  ["https://mirrors.sustech.edu.cn/cdnjs/ajax/libs/d3/7.8.5/d3.min.js", ["d3@7.8.5 ending dist/d3.min.js"]],
  ["https://npm.elemecdn.com/vue@2.6.14/dist/vue.js", ["vue@2.6.14 path dist/vue.js"]],
  ["https://fonts.loli.net/css2?family=Inter", inter(400)],
  ["https://ajax.loli.net/ajax/libs/jquery/3.7.1/jquery.min.js", ["jquery@3.7.1 ending dist/jquery.min.js"]],
  [
    "https://cdn.datatables.net/v/bs5/jq-3.7.0/jszip-3.10.1/dt-2.1.8/b-3.1.2/b-html5-3.1.2/fc-5.0.1/datatables.min.js",
    [
      "jquery@3.7.0 ending dist/jquery.min.js",
      "jszip@3.10.1 ending dist/jszip.min.js",
      "datatables.net@2.1.8 ending js/dataTables.min.js",
      "datatables.net-bs5@2.1.8 ending js/dataTables.bootstrap5.min.js",
      "datatables.net-buttons@3.1.2 ending js/dataTables.buttons.min.js",
      "datatables.net-buttons-bs5@3.1.2 ending js/buttons.bootstrap5.min.js",
      "datatables.net-buttons@3.1.2 ending js/buttons.html5.min.js",
      "datatables.net-fixedcolumns@5.0.1 ending js/dataTables.fixedColumns.min.js",
      "datatables.net-fixedcolumns-bs5@5.0.1 ending js/fixedColumns.bootstrap5.min.js",
    ],
  ],
  [
    "https://cdn.datatables.net/v/dt/dt-2.1.8/r-3.0.3/datatables.min.css",
    [
      "datatables.net-dt@2.1.8 ending css/dataTables.dataTables.min.css",
      "datatables.net-responsive-dt@3.0.3 ending css/responsive.dataTables.min.css",
    ],
  ],
  ["https://cdn.datatables.net/v/dt/dt-2.1.8/e-2.3.2/datatables.min.js", null],
  [
    "https://use.fontawesome.com/releases/v5.15.4/css/all.css",
    ["@fortawesome/fontawesome-free@5.15.4 path css/all.css"],
  ],
  [
    "https://fonts.googleapis.com/css?family=Open+Sans:400,700italic|Roboto+Slab",
    [...fonts("open-sans", 400, "700-italic"), ...fonts("roboto-slab", 400)],
  ],
  ["https://fonts.googleapis.com/icon?family=Material+Icons", ["material-icons@ path iconfont/filled.css"]],
  [
    "https://fonts.googleapis.com/css2?family=Inter:ital,wght@0,100..300;1,400",
    [...inter(100, 200, 300), ...fonts("inter", "400-italic")],
  ],
];

test("each CDN URL of a collection of documents stands for its files", () => {
  expect(seen.map(([url]) => [url, short(url)])).toEqual(
    seen.map((row) => [row[0], row[1] === null ? null : [...row[1]]]),
  );
});

test("each documented form of a URL stands for its files", () => {
  expect(documented.map(([url]) => [url, short(url)])).toEqual(
    documented.map((row) => [row[0], row[1] === null ? null : [...row[1]]]),
  );
});

test("a style's entry is its style field", () => {
  expect(short("https://cdn.jsdelivr.net/npm/bulma@1", "style")).toEqual(["bulma@1 entry style"]);
});

test("nothing hostile becomes a package, a range or a path", () => {
  for (const url of [
    "https://unpkg.com/",
    "https://unpkg.com/..%2f..%2fetc/passwd",
    "https://unpkg.com/a@1/..%2f..%2fb",
    "https://unpkg.com/a@1/b%5c..%5cc",
    "https://unpkg.com/a@1/%00",
    "https://unpkg.com/a@1/%E0%A4%A",
    "https://unpkg.com/a@git+ssh:%2f%2fevil.test/x",
    "https://unpkg.com/a@file:..%2fb/x.js",
    `https://unpkg.com/${"a".repeat(300)}@1/x.js`,
    `https://unpkg.com/a@1/${"b/".repeat(200)}x.js`,
    "https://user:password@unpkg.com/a@1/x.js",
    "https://unpkg.com:8443/a@1/x.js",
    "https://unpkg.com.evil.test/a@1/x.js",
    "https://kit.fontawesome.com/0123456789.js",
    `https://fonts.googleapis.com/css?family=${"A:400|".repeat(100)}`,
    "not a url",
  ])
    expect([url, mapUrl(url, "script")]).toEqual([url, null]);
});

test("an import of jsx is a package in its latest version, or in the runtime's", () => {
  expect(mapUrl("npm:leaflet", "module")).toEqual([{ name: "leaflet", range: "", find: { by: "bundle", path: "" } }]);
  expect(mapUrl("npm:@scope/name/deep", "module")).toEqual([
    { name: "@scope/name", range: "", find: { by: "bundle", path: "deep" } },
  ]);
  expect(mapUrl("npm:leaflet/dist/leaflet.css", "style")).toEqual([
    { name: "leaflet", range: "", find: { by: "export", path: "dist/leaflet.css" } },
  ]);
  expect(mapUrl("npm:@fontsource/inter", "style")).toEqual([
    { name: "@fontsource/inter", range: "", find: { by: "entry", fields: ["style", "main"] } },
  ]);
  expect(mapUrl("npm:three/examples/x.js", "module")).toEqual([
    { name: "three", range: expect.stringMatching(/^0\.\d+\.\d+$/), find: { by: "bundle", path: "examples/x.js" } },
  ]);
  expect(mapUrl("npm:../x", "module")).toBeNull();
});

test("a folder that a script or an import map completes is one, of the whole package as well", () => {
  const folder = (url: string, use: ReferenceUse) => mapUrl(url, use)?.map(({ find, isWhole }) => [find, isWhole]);
  expect(folder("https://unpkg.com/three@0.160.0/", "prefix")).toEqual([[{ by: "folder", path: "" }, undefined]]);
  expect(folder("https://cdn.jsdelivr.net/npm/a@1/wasm/", "folder")).toEqual([[{ by: "folder", path: "wasm/" }, true]]);
  expect(folder("https://cdn.jsdelivr.net/pyodide/v0.26.2/full/", "folder")).toEqual([
    [{ by: "folder", path: "" }, true],
  ]);
  expect(folder("https://cdnjs.cloudflare.com/ajax/libs/pdf.js/3.11.174/", "folder")).toEqual([
    [{ by: "folder", path: "build/" }, true],
  ]);
  for (const url of ["https://unpkg.com/", "https://cdn.jsdelivr.net/npm/", "https://esm.sh/lit/", "https://esm.sh/"])
    expect(mapUrl(url, "folder")).toBeNull();
});

test("a path of a module loader is a file without its ending, or a folder", () => {
  const path = (url: string) =>
    mapUrl(url, "amd")?.map(({ name, range, find, orFolder }) => [name, range, find, orFolder]) ?? null;
  expect(path("https://cdn.plot.ly/plotly-2.12.1.min")).toEqual([
    ["plotly.js-dist-min", "2.12.1", { by: "path", path: "plotly.min.js" }, true],
  ]);
  expect(path("https://cdn.jsdelivr.net/npm/monaco-editor@0.52.2/min/vs")).toEqual([
    ["monaco-editor", "0.52.2", { by: "path", path: "min/vs.js" }, true],
  ]);
  expect(path("https://cdn.jsdelivr.net/npm/vega@5")).toBeNull();
  expect(path("https://esm.sh/lit@3")).toBeNull();
});
