// Extracts the searchable text of a source. Linear in its length for any input: it is hostile.
import type { ArtifactType } from "@plinth/contract/schemas/artifact";

const styleBegins = "<style";
const styleEnds = "</style";
/** Never past the next `<`, or a text of those alone would be read once for each of them. */
const tag = /<[/!?a-z][^<>]*>/gi;

/** The text of HTML without tags and styles, which would be found in every page; any other source as it is. */
export function searchedText(type: ArtifactType, source: string): string {
  return type === "html" ? withoutStyles(source).replace(tag, " ").replace(entity, characterOf) : source;
}

const entity = /&(?:amp|lt|gt|quot|apos|nbsp|#\d{1,7});/g;
const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

/** The few that are common; another one is left as it is written. */
function characterOf(written: string): string {
  const name = written.slice(1, -1);
  if (!name.startsWith("#")) return named[name] ?? written;
  const code = Number(name.slice(1));
  return code > 0 && code < 0xd8_00 ? String.fromCodePoint(code) : written;
}

function withoutStyles(source: string): string {
  const lower = source.toLowerCase();
  // What lower-casing makes longer would be cut at the wrong places.
  if (lower.length !== source.length) return source;
  const kept: string[] = [];
  for (let at = 0; at < source.length;) {
    const begins = lower.indexOf(styleBegins, at);
    if (begins === -1) return [...kept, source.slice(at)].join(" ");
    kept.push(source.slice(at, begins));
    const ends = lower.indexOf(styleEnds, begins);
    if (ends === -1) return kept.join(" ");
    at = ends + styleEnds.length;
  }
  return kept.join(" ");
}
