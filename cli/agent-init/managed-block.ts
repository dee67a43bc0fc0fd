// The instructions for agents, and the marked block that holds them in a file of the user. Pure text: reads
// and writes nothing.
import { usage } from "../failure/failure.ts";

const begin = "<!-- plinth:begin -->";
const end = "<!-- plinth:end -->";

export interface Target {
  readonly owner: string | null;
  readonly projectSlug: string | null;
  readonly private: boolean;
  /** The instance's address; null where the client finds it by itself. */
  readonly baseUrl: string | null;
}

/** The block, at most 25 lines, marks included; lines end in LF and the last has no end. */
export function blockFor({ owner, projectSlug, private: isPrivate, baseUrl }: Target): string {
  const flags = [
    ...(owner === null ? [] : [`--owner ${owner}`]),
    `--project-slug ${projectSlug ?? "<project>"}`,
    ...(isPrivate ? ["--private"] : []),
  ].join(" ");
  return [
    begin,
    "## Publishing with Plinth",
    "",
    "`plinth` publishes Markdown, HTML and JSX files as pages with durable addresses. Each publish is a new version.",
    "",
    `- Publish or update a file: \`plinth push ${flags} --ensure --field url report.md\`.`,
    "  It prints the page's address: give that to the person. Unchanged content makes no new version.",
    ...(projectSlug === null ? ["- `plinth project list` shows the projects there are."] : []),
    isPrivate
      ? "- Keep `--private`: without it a page is public."
      : "- Pages are public; add `--private` for what not everyone may read, and never publish secrets.",
    "- Change a few words of a page: `plinth artifact edit <address> --replace <old> --with <new>`.",
    "- Read a page's source: `plinth cat <address>`.",
    "- Look first: `--dry-run` sends nothing, `--check` asks the server and writes nothing.",
    ...(baseUrl === null ? [] : [`- The instance is ${baseUrl} (\`--base-url\` or \`SERVICE_BASE_URL\`).`]),
    "- The token is the saved login or `SERVICE_TOKEN`: never write one into a file or onto a line.",
    "- Failures are JSON on the last line of standard error, with `hint` and `next`. Exit codes: 0 done, 2 wrong line,",
    "  3 not found, 4 not signed in, 5 forbidden, 6 conflict (read what is there first), 7 rejected, 8 and 9 try later.",
    "- All commands and flags: `plinth schema --compact`.",
    end,
  ].join("\n");
}

/** The text with the block in place of its earlier form, else after everything. @throws Failure usage */
export function withBlock(text: string, block: string, name: string): string {
  const newline = newlineOf(text);
  const lines = block.replaceAll("\n", newline);
  const place = placeOf(text, name);
  if (place !== null) return text.slice(0, place.from) + lines + text.slice(place.to);
  const blank = text === "" || text === "\uFEFF" ? "" : newline.repeat(text.endsWith("\n") ? 1 : 2);
  return `${text}${/\n\r?\n$/.test(text) ? "" : blank}${lines}${newline}`;
}

/** The text without the block and the empty line before it. @throws Failure usage */
export function withoutBlock(text: string, name: string): string {
  const place = placeOf(text, name);
  if (place === null) return text;
  const before = text.slice(0, place.from).replace(/(\n)\r?\n$/, "$1");
  return before + text.slice(place.to).replace(/^\r?\n/, "");
}

const newlineOf = (text: string): string => (/\r\n/.test(text) ? "\r\n" : "\n");

/** From the first mark to behind the last; null where there are none. Other marks are a usage error. */
function placeOf(text: string, name: string): { from: number; to: number } | null {
  const [begins, ends] = [placesOf(text, begin), placesOf(text, end)];
  if (begins.length === 0 && ends.length === 0) return null;
  const [from, to] = [begins[0], ends[0]];
  if (begins.length === 1 && ends.length === 1 && from !== undefined && to !== undefined && from < to)
    return { from, to: to + end.length };
  throw usage(`${name} has ${begins.length} of ${begin} and ${ends.length} of ${end}, or in the wrong order`, {
    hint: "Leave one block, or none: it is not clear which text is whose",
  });
}

function placesOf(text: string, mark: string): number[] {
  const places = [];
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + mark.length)) places.push(at);
  return places;
}
