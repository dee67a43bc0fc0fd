// `bun run docs:jsx`: generates docs/jsx-modules.md from the modules that the runtime is built of. It knows no module.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { type ModuleGroup, MODULE_GROUPS, withFamilies } from "../runtime/jsx-modules.ts";
import { ALIASES } from "../runtime/module-aliases.ts";
import { moduleVersion } from "../runtime/modules.ts";
import { table } from "./markdown-table.ts";
import { root } from "./step.ts";

export const modulesReferencePath = join(root, "docs/jsx-modules.md");

/** Notes about single modules. */
const notes: Readonly<Record<string, string>> = {
  "react-router": "The path is kept in memory: every document starts at / or at its basename.",
  "next/link": "Within the document. The path is kept in memory.",
  "next/image": "A plain image.",
  "next/navigation": "The path is kept in memory.",
  html2canvas: "Made with html-to-image. `onclone` has no effect.",
  "plotly.js": "The strict build, 1.5 MB.",
};

/** The whole page. */
export const modulesReference = (): string =>
  [
    "# JSX modules",
    "Written by `bun run docs:jsx` from the list that the runtime of documents is built of.",
    "An instance serves these modules at these versions. A document loads only what it imports, and all of it shares one " +
      "React. React's own names need no import.",
    'Any other npm package can be imported by its name, with its styles (`import "leaflet/dist/leaflet.css"`). Where the ' +
      "instance fetches packages, it fetches the package after publishing, pins it to its latest version of that moment, " +
      "bundles it against the same React and keeps it with the document. A package that the registry doesn't have is " +
      "refused as [`invalid_source`](/docs/errors/invalid_source), as are modules of Node.js.",
    "Components can also be imported by the path that they have in your project, such as `../components/ui/card.tsx`.",
    ...MODULE_GROUPS.map(section),
  ].join("\n\n") + "\n";

const section = ({ title, names }: ModuleGroup): string =>
  [
    `## ${title}`,
    table(
      ["Module", "Version", "Notes"],
      withFamilies(names).map((name) => row(name, names)),
    ),
  ].join("\n\n");

function row(name: string, names: readonly string[]): string[] {
  const members = name.endsWith("*") ? names.filter((member) => member.startsWith(name.slice(0, -1))) : [];
  const modules = members.length > 0 ? members : [name];
  const versions = [...new Set(modules.flatMap((member) => moduleVersion(member) ?? []))];
  const aliases = ALIASES[name] ?? [];
  const more = [
    notes[name] ?? "",
    aliases.length > 0 ? `Also as ${aliases.map(code).join(", ")}.` : "",
    members.length > 0 ? `${members.map((member) => code(member.slice(name.length - 1))).join(", ")}.` : "",
  ];
  return [code(name), versions.sort().join(", "), more.filter(Boolean).join(" ")];
}

const code = (text: string): string => `\`${text}\``;

if (import.meta.main) writeFileSync(modulesReferencePath, modulesReference());
