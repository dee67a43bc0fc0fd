// The pages of the command line, from the generated docs/command-line.md: an overview, and one page for each group of
// commands.
import type { SourcePage } from "./contents.ts";

/** Commands of one word, and groups with a single command, share a page. */
const generalPage = "cli/general";

/** Groups that have a page; a test compares them with the reference. */
const groups = ["agent", "artifact", "keys", "operator", "project", "share", "workspace"];

/** The page that a command is on, below `/docs/`. */
export function groupOf(command: string): string {
  const [first = "", second] = command.split(" ");
  return second !== undefined && groups.includes(first) ? `cli/${first}` : generalPage;
}

/** The heading of a command in the reference. */
export const heading = (command: string): string => `plinth ${command}`;

/** Splits the reference; its links between commands are mapped by `commandLink`. */
export function commandPages(reference: string): SourcePage[] {
  const [before = "", rest = ""] = reference
    .split(/^### (?=plinth )/m, 1)
    .concat(reference.slice(reference.search(/^### plinth /m)));
  const end = rest.search(/^## /m);
  const sections = rest
    .slice(0, end)
    .split(/^### (?=plinth )/m)
    .filter((part) => part.trim() !== "");
  const after = rest.slice(end);
  const byPage = Map.groupBy(sections, (part) => groupOf((part.split("\n", 1)[0] ?? "").slice("plinth ".length)));
  const general = byPage.get(generalPage) ?? [];
  const grouped = [...byPage].filter(([path]) => path !== generalPage);
  return [
    { path: "cli", label: "Overview", markdown: `${before.trim()}\n\n${after}` },
    {
      path: generalPage,
      label: "Everyday commands",
      markdown: joined(
        "Everyday commands",
        "Publish, read, search and set up, with every flag and an example.",
        general,
      ),
    },
    ...grouped
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([path, parts]) => {
        const name = `plinth ${path.slice("cli/".length)}`;
        return {
          path,
          label: name,
          markdown: joined(name, `The commands of \`${name}\`, with every flag and an example.`, parts),
        };
      }),
  ].map((page) => ({ ...page, isOfInstance: true as const }));
}

const joined = (title: string, words: string, parts: readonly string[]): string =>
  [`# ${title}`, words, ...parts.map((part) => `## ${part.trim()}`)].join("\n\n");

/** The URL of a command that the reference links to as `#plinth-artifact-create`. */
export function commandLink(fragment: string): string | null {
  const [, words = ""] = /^#plinth-(.+)$/.exec(fragment) ?? [];
  if (words === "") return null;
  const group = groups.find((name) => words.startsWith(`${name}-`));
  return `/docs/${group === undefined ? generalPage : `cli/${group}`}${fragment}`;
}
