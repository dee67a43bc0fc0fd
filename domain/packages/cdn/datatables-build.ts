// Files of DataTables' download builder, whose URLs name the parts that they are made of.
import type { Mapping, Wanted } from "./package-file.ts";

/** The parts of DataTables' download builder, and the packages they are: `/v/bs5/jq-3.7.0/dt-2.1.8/b-3.1.2/datatables.min.js`. */
const dataTablesParts: Readonly<Record<string, string>> = {
  af: "autofill",
  b: "buttons",
  cc: "columncontrol",
  cr: "colreorder",
  date: "datetime",
  fc: "fixedcolumns",
  fh: "fixedheader",
  kt: "keytable",
  r: "responsive",
  rg: "rowgroup",
  rr: "rowreorder",
  sb: "searchbuilder",
  sc: "scroller",
  sl: "select",
  sp: "searchpanes",
  sr: "staterestore",
};
const dataTablesStyles: Readonly<Record<string, string>> = {
  bm: "bulma",
  bs: "bootstrap",
  bs4: "bootstrap4",
  bs5: "bootstrap5",
  dt: "dataTables",
  ju: "jqueryui",
  se: "semanticui",
  zf: "foundation",
};

/** In the order of the URL, which is that of what each part needs; null where one part is none that is known. */
export function dataTablesBuild({ pathname }: URL): Mapping {
  const [, style = "", parts = "", kind = ""] =
    /^\/v\/([a-z\d]+)\/([\w./-]+)\/datatables(?:\.min)?\.(js|css)$/.exec(pathname) ?? [];
  const framework = Object.hasOwn(dataTablesStyles, style) ? dataTablesStyles[style] : undefined;
  if (framework === undefined) return null;
  const wanted = parts.split("/").map((part) => {
    const [, code = "", version = ""] = /^(.+?)-(\d[\d.]*)$/.exec(part) ?? [];
    return dataTablesPart({
      code,
      version,
      style: style === "ju" ? "jqui" : style,
      framework,
      isStyle: kind === "css",
    });
  });
  return wanted.every((one) => one !== null) ? wanted.flat() : null;
}

interface Part {
  readonly code: string;
  readonly version: string;
  readonly style: string;
  readonly framework: string;
  readonly isStyle: boolean;
}

function dataTablesPart({ code, version, style, framework, isStyle }: Part): Mapping {
  const file = (name: string, path: string, rest: Partial<Wanted> = {}): Wanted => ({
    name,
    range: version,
    find: { by: "ending", path },
    ...rest,
  });
  if (code === "jq") return isStyle ? [] : [file("jquery", "dist/jquery.min.js")];
  if (code === "jszip") return isStyle ? [] : [file("jszip", "dist/jszip.min.js")];
  if (code === "pdfmake")
    return isStyle ? [] : [file("pdfmake", "build/pdfmake.min.js"), file("pdfmake", "build/vfs_fonts.js")];
  const optional = { isOptional: true } as const;
  if (code === "dt") {
    const styled = file(
      `datatables.net-${style}`,
      `${isStyle ? "css" : "js"}/dataTables.${framework}.min.${isStyle ? "css" : "js"}`,
    );
    const old = file("datatables.net-dt", "css/jquery.dataTables.min.css", optional);
    if (isStyle) return style === "dt" && version.startsWith("1.") ? [old] : [styled];
    const core = version.startsWith("1.") ? "js/jquery.dataTables.min.js" : "js/dataTables.min.js";
    return [file("datatables.net", core), { ...styled, ...optional }];
  }
  // `b-html5`, `b-print`: scripts of an extension.
  const [, extension = "", script = ""] = /^([a-z]+)-(colvis|html5|print)$/.exec(code) ?? ["", code, ""];
  const name = Object.hasOwn(dataTablesParts, extension) ? dataTablesParts[extension] : undefined;
  if (name === undefined) return null;
  if (script !== "") {
    const named = script === "colvis" ? "colVis" : script;
    return isStyle ? [] : [file(`datatables.net-${name}`, `js/buttons.${named}.min.js`)];
  }
  const folder = `datatables.net-${name}-${style}`;
  if (isStyle) return [file(folder, `css/${camelCased(name)}.${framework}.min.css`, optional)];
  const core = file(
    `datatables.net-${name}`,
    name === "datetime" ? "dist/dataTables.dateTime.min.js" : `js/dataTables.${camelCased(name)}.min.js`,
  );
  return name === "datetime" ? [core] : [core, file(folder, `js/${camelCased(name)}.${framework}.min.js`, optional)];
}

/** Names of packages are small, and those of their files are not. */
const camelCased = (name: string): string =>
  name
    .replace(/^(auto|fixed|key|row|search|state)(?=[a-z])/, (first) => `${first}\0`)
    .replace(/^(col)(?=reorder)/, "$1\0")
    .replace(/^(column)(?=control)/, "$1\0")
    .replace(/\0(.)/, (_all, letter: string) => letter.toUpperCase());
