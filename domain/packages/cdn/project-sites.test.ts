// The table of projects' own sites, walked over with real addresses: each row by one at least.
import { expect, test } from "bun:test";

import { mapUrl } from "./map-url.ts";
import { projectSites, siteAt } from "./project-sites.ts";

/** Addresses as pages have them, and `package@version/path` of each. */
const addresses: readonly (readonly [string, string])[] = [
  ["https://code.jquery.com/jquery-3.7.1.slim.min.js", "jquery@3.7.1/dist/jquery.slim.min.js"],
  ["https://code.jquery.com/jquery-migrate-3.4.1.min.js", "jquery-migrate@3.4.1/dist/jquery-migrate.min.js"],
  ["https://code.jquery.com/jquery-migrate-1.2.1.js", "jquery-migrate@1.2.1/dist/jquery-migrate.js"],
  ["https://code.jquery.com/ui/1.13.2/themes/base/jquery-ui.css", "jquery-ui@1.13.2/dist/themes/base/jquery-ui.css"],
  ["https://code.jquery.com/qunit/qunit-2.19.4.css", "qunit@2.19.4/qunit/qunit.css"],
  ["https://ajax.aspnetcdn.com/ajax/jQuery/jquery-3.6.0.min.js", "jquery@3.6.0/dist/jquery.min.js"],
  ["https://d3js.org/d3.v5.min.js", "d3@5/dist/d3.min.js"],
  ["https://d3js.org/topojson.v3.min.js", "topojson@3/dist/topojson.min.js"],
  ["https://cdn.plot.ly/plotly-gl3d-2.12.1.min.js", "plotly.js-gl3d-dist-min@2.12.1/plotly-gl3d.min.js"],
  ["https://cdn.plot.ly/plotly-3.0.1.js", "plotly.js-dist@3.0.1/plotly.js"],
  ["https://cdn.pydata.org/bokeh/release/bokeh-1.4.0.min.js", "bokehjs@1.4.0/build/js/bokeh.min.js"],
  ["https://cdn.bokeh.org/bokeh/release/bokeh-api-3.4.1.min.js", "@bokeh/bokehjs@3.4.1/build/js/bokeh-api.min.js"],
  ["https://cdn.holoviz.org/panel/1.9.4/dist/panel.min.js", "@holoviz/panel@1.9.4/dist/panel.min.js"],
  ["https://cdn.mathjax.org/mathjax/2.7-latest/MathJax.js?config=x", "mathjax@2.7/MathJax.js"],
  ["https://cdn.redoc.ly/redoc/latest/bundles/redoc.standalone.js", "redoc@2/bundles/redoc.standalone.js"],
  ["https://cdn.redocly.com/redoc/v2.1.5/bundles/redoc.standalone.js", "redoc@2.1.5/bundles/redoc.standalone.js"],
  ["https://cdn.redoc.ly/redoc/v2.x/bundles/redoc.standalone.js", "redoc@2/bundles/redoc.standalone.js"],
  ["https://cdn.datatables.net/2.1.8/js/dataTables.js", "datatables.net@2.1.8/js/dataTables.js"],
  [
    "https://cdn.datatables.net/1.13.8/js/jquery.dataTables.min.js",
    "datatables.net@1.13.8/js/jquery.dataTables.min.js",
  ],
  [
    "https://cdn.datatables.net/2.1.8/css/dataTables.dataTables.css",
    "datatables.net-dt@2.1.8/css/dataTables.dataTables.css",
  ],
  [
    "https://cdn.datatables.net/1.10.19/css/jquery.dataTables.min.css",
    "datatables.net-dt@1.10.19/css/jquery.dataTables.min.css",
  ],
  ["https://cdn.datatables.net/1.10.19/images/sort_asc.png", "datatables.net-dt@1.10.19/images/sort_asc.png"],
  [
    "https://cdn.datatables.net/buttons/3.1.2/js/buttons.html5.min.js",
    "datatables.net-buttons@3.1.2/js/buttons.html5.min.js",
  ],
  [
    "https://cdn.datatables.net/buttons/3.1.2/css/buttons.dataTables.css",
    "datatables.net-buttons-dt@3.1.2/css/buttons.dataTables.css",
  ],
  [
    "https://cdn.datatables.net/plug-ins/1.10.21/sorting/date-eu.js",
    "datatables.net-plugins@1.10.21/sorting/date-eu.js",
  ],
  ...[
    ["bootstrap5", "bs5"],
    ["bootstrap4", "bs4"],
    ["bootstrap", "bs"],
    ["bulma", "bm"],
    ["foundation", "zf"],
    ["jqueryui", "jqui"],
    ["semanticui", "se"],
  ].flatMap(([name, short]): [string, string][] => [
    [
      `https://cdn.datatables.net/2.1.8/js/dataTables.${name}.js`,
      `datatables.net-${short}@2.1.8/js/dataTables.${name}.js`,
    ],
    [
      `https://cdn.datatables.net/responsive/3.0.3/css/responsive.${name}.min.css`,
      `datatables.net-responsive-${short}@3.0.3/css/responsive.${name}.min.css`,
    ],
  ]),
  ["https://code.highcharts.com/highcharts.js", "highcharts@/highcharts.js"],
  ["https://code.highcharts.com/11.4.8/modules/exporting.js", "highcharts@11.4.8/modules/exporting.js"],
  ["https://code.highcharts.com/stock/highstock.js", "highcharts@/highstock.js"],
  ["https://code.highcharts.com/dashboards/dashboards.js", "@highcharts/dashboards@/dashboards.js"],
  ["https://code.highcharts.com/mapdata/custom/world.topo.json", "@highcharts/map-collection@/custom/world.topo.json"],
  ["https://assets.pyecharts.org/assets/v5/echarts.min.js", "echarts@5/echarts.min.js"],
  ["https://assets.pyecharts.org/assets/echarts.min.js", "echarts@4.9.0/echarts.min.js"],
  ["https://assets.pyecharts.org/assets/v5/maps/china.js", "echarts@4.9.0/map/js/china.js"],
  [
    "https://assets.pyecharts.org/assets/v5/echarts-wordcloud.min.js",
    "echarts-wordcloud@/dist/echarts-wordcloud.min.js",
  ],
  ["https://assets.pyecharts.org/assets/jquery.min.js", "jquery@/jquery.min.js"],
  ["https://cdn.quilljs.com/1.3.7/quill.snow.css", "quill@1.3.7/dist/quill.snow.css"],
  ["https://cdn.jsdelivr.net/pyodide/v0.26.2/full/pyodide.js", "pyodide@0.26.2/pyodide.js"],
  ["https://fastly.jsdelivr.net/pyodide/v0.26.2/full/pyodide.asm.wasm", "pyodide@0.26.2/pyodide.asm.wasm"],
  [
    "https://cdn.jsdelivr.net/gh/highlightjs/cdn-release@11.9.0/build/styles/github.min.css",
    "@highlightjs/cdn-assets@11.9.0/styles/github.min.css",
  ],
  ["https://threejs.org/build/three.module.js", "three@/build/three.module.js"],
  ["https://threejs.org/build/three.min.js", "three@0.147.0/build/three.min.js"],
  [
    "https://stackpath.bootstrapcdn.com/font-awesome/4.7.0/css/font-awesome.min.css",
    "font-awesome@4.7.0/css/font-awesome.min.css",
  ],
  ["https://maxcdn.bootstrapcdn.com/bootstrap/3.4.1/js/bootstrap.min.js", "bootstrap@3.4.1/dist/js/bootstrap.min.js"],
  ["https://cdn.sheetjs.com/xlsx-latest/package/dist/xlsx.mini.min.js", "@e965/xlsx@/dist/xlsx.mini.min.js"],
  ["https://use.fontawesome.com/releases/v5.15.4/js/all.js", "@fortawesome/fontawesome-free@5.15.4/js/all.js"],
  ["https://cdn.leafletjs.com/leaflet/v0.7.7/leaflet.css", "leaflet@0.7.7/dist/leaflet.css"],
  ["https://api.mapbox.com/mapbox-gl-js/v2.15.0/mapbox-gl.js", "mapbox-gl@2.15.0/dist/mapbox-gl.js"],
  [
    "https://cdn.ckeditor.com/ckeditor5/39.0.1/classic/ckeditor.js",
    "@ckeditor/ckeditor5-build-classic@39.0.1/build/ckeditor.js",
  ],
  ["https://cdn.tiny.cloud/1/no-api-key/tinymce/6/tinymce.min.js", "tinymce@6/tinymce.min.js"],
  ["https://vjs.zencdn.net/7.20.3/video-js.css", "video.js@7.20.3/dist/video-js.css"],
  ["https://cdn.plyr.io/3.7.8/plyr.js", "plyr@3.7.8/dist/plyr.js"],
  ["https://aframe.io/releases/1.4.2/aframe.min.js", "aframe@1.4.2/dist/aframe.min.js"],
  ["https://pixijs.download/v7.2.4/pixi.min.js", "pixi.js@7.2.4/dist/pixi.min.js"],
  ["https://cdn.socket.io/4.7.2/socket.io.min.js", "socket.io-client@4.7.2/dist/socket.io.min.js"],
  ["https://code.ionicframework.com/ionicons/2.0.1/css/ionicons.min.css", "ionicons@2.0.1/css/ionicons.min.css"],
  [
    "https://cdn.materialdesignicons.com/7.4.47/css/materialdesignicons.min.css",
    "@mdi/font@7.4.47/css/materialdesignicons.min.css",
  ],
  ["https://registry.npmmirror.com/echarts/5.4.3/files/dist/echarts.min.js", "echarts@5.4.3/dist/echarts.min.js"],
  ["https://registry.npmmirror.com/@antv/g2/5.1.0/files/dist/g2.min.js", "@antv/g2@5.1.0/dist/g2.min.js"],
];

const fileOf = (url: string): string | null => {
  const [wanted, ...more] = mapUrl(url, "script") ?? [];
  if (wanted === undefined || more.length > 0 || wanted.find.by === "entry") return null;
  return `${wanted.name}@${wanted.range}/${wanted.find.path}`;
};

test("each address is its file of its package", () => {
  expect(addresses.map(([url]) => [url, fileOf(url)])).toEqual(addresses.map(([url, file]) => [url, file]));
});

test("each row has an address that is its own", () => {
  const reached = new Set(addresses.map(([url]) => siteAt(new URL(url))));
  const unreached = projectSites().filter((site) => !reached.has(site));
  expect(unreached.map(({ hosts, path }) => `${hosts.join()} ${path}`)).toEqual([]);
});

test("a row takes no other host's address, nor a path with another one in it", () => {
  for (const [url] of addresses) {
    const { pathname } = new URL(url);
    expect(fileOf(`https://evil.example${pathname}`)).toBeNull();
    expect(fileOf(`https://evil.example/?${url}`)).toBeNull();
  }
});
