// The words of an empty list about its filters, and about the text that was looked for: without it a false name reads like an empty place.
import type { Output } from "@plinth/contract/registry";

/** Says which filters an empty search had: a name with a typo reads like one under which nothing is published. */
function filtersOfNothing(value: object, input: Readonly<Record<string, unknown>>): string {
  if (!("artifacts" in value) || !Array.isArray(value.artifacts) || value.artifacts.length > 0) return "";
  const places = (["owner", "project", "author"] as const).filter((name) => input[name] !== undefined);
  if (places.length === 0) return "";
  const named = places.map((name) => `${name} ${JSON.stringify(input[name])}`).join(" and ");
  const others = Object.keys(input).some((name) => !["owner", "project", "author", "limit", "sort"].includes(name));
  return others
    ? ` Nothing that you may see matches under ${named}; check these with list_projects, or search without the rest.`
    : ` Nothing that you may see is under ${named}: there may be no such name. list_projects has those that there are.`;
}

/** What an empty list says of what was looked for. */
export function nothingFound(value: object, input: Readonly<Record<string, unknown>>): string {
  if (!("versions" in value) || input["text"] === undefined) return filtersOfNothing(value, input);
  const { versions, nextCursor } = value as Output<"version.list">;
  return versions.length === 0 && nextCursor === null ? " No version whose content is kept has this text." : "";
}
