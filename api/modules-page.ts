// The page of the modules that jsx documents import, with their versions: `invalid_source` links to it.
import { escapeHtml } from "@plinth/domain/render/escape-html";
import { type ModuleGroup, MODULE_GROUPS, withFamilies } from "@plinth/runtime/jsx-modules";
import type { Runtime } from "@plinth/runtime/manifest";
import { ALIASES } from "@plinth/runtime/module-aliases";

import { page } from "./docs.ts";

/** Notes about single modules. */
const NOTES: Readonly<Record<string, string>> = {
  "react-router": "The path is kept in memory: every document starts at / or at its basename.",
  "next/link": "Within the document. The path is kept in memory.",
  "next/image": "A plain image.",
  "next/navigation": "The path is kept in memory.",
  html2canvas: "Made with html-to-image. onclone has no effect.",
  "plotly.js": "The strict build. It has 1.5 MB.",
};

export const modulesPage = ({ versions }: Pick<Runtime, "versions">): Response =>
  page(
    "JSX modules",
    `<main class="note"><p><a href="/docs">API reference</a></p><h1>What JSX can import</h1>
<p>This instance serves these modules, at these versions. A document loads only what it imports, and all of it shares one
React. React's own names need no import.</p>
<p>Any other npm package can be imported by its name, with its styles
(<code>import "leaflet/dist/leaflet.css"</code>). Where this instance fetches packages, it is fetched after publishing,
pinned to its latest version of that moment, bundled against the same React and kept with the document. A package that the
registry does not have is refused as <code>invalid_source</code>, as are modules of Node.js and files.</p>
<p>Components can also be imported by the path that they have in your project, such as
<code>../components/ui/card.tsx</code>.</p>
${MODULE_GROUPS.map((group) => section(group, versions)).join("\n")}</main>`,
  );

function section({ title, names }: ModuleGroup, versions: Runtime["versions"]): string {
  const rows = withFamilies(names).map((name) => row(name, names, versions));
  return `<h2>${escapeHtml(title)}</h2>
<table><thead><tr><th>Module</th><th>Version</th><th></th></tr></thead><tbody>
${rows.join("\n")}
</tbody></table>`;
}

function row(name: string, names: readonly string[], versions: Runtime["versions"]): string {
  const members = name.endsWith("*") ? names.filter((member) => member.startsWith(name.slice(0, -1))) : [];
  const known = [...new Set([name, ...members].flatMap((member) => versions[member] ?? []))];
  const aliases = ALIASES[name] ?? [];
  const more = [
    NOTES[name] ?? "",
    aliases.length > 0 ? `Also as ${aliases.map(code).join(", ")}.` : "",
    members.length > 0
      ? `<details><summary>All ${members.length}</summary>${members.map(code).join(" ")}</details>`
      : "",
  ];
  return `<tr><td>${code(name)}</td><td>${known.sort().join(", ")}</td><td>${more.filter(Boolean).join(" ")}</td></tr>`;
}

const code = (text: string): string => `<code>${escapeHtml(text)}</code>`;
