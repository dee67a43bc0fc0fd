// The items of a list as text: one line each, as many as a model should pay for, then how to get the others.
import type { Access } from "@plinth/contract/schemas/artifact";
import type { Actor } from "@plinth/contract/schemas/actor";
import type { NotTaken } from "@plinth/contract/schemas/file";
import { weekdayOf } from "@plinth/contract/weekday";

/** UTF-8 bytes of the lines of one result: at most 4,000 tokens, because identifiers and links have the most for their size. */
export const summaryBytes = 6000;

export interface Listing<Item> {
  /** What the lines are of, without a full stop. */
  readonly of: string;
  readonly noun: string;
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
  readonly line: (item: Item) => string;
}

/** The number of items, their lines, and how to get more: by the cursor, or with a lower limit where lines are left out. */
export function listingText<Item>({ of, noun, items, nextCursor, line }: Listing<Item>): string {
  const lines = fitting(items.map((item) => `- ${oneLine(line(item))}`));
  const leftOut = items.length - lines.length;
  return [
    `${of}: ${nextCursor === null ? "" : "the first "}${counted(items.length, noun)}.`,
    ...lines,
    ...(leftOut > 0 ? [`${leftOut} more are too long to list here: send limit ${Math.max(1, lines.length)}.`] : []),
    ...(leftOut === 0 && nextCursor !== null ? [`For more send cursor ${JSON.stringify(nextCursor)}.`] : []),
  ].join("\n");
}

/** At least one, however long it is. */
function fitting(lines: readonly string[]): readonly string[] {
  let bytes = 0;
  const excess = lines.findIndex((line) => (bytes += Buffer.byteLength(line)) > summaryBytes);
  return excess < 0 ? lines : lines.slice(0, Math.max(1, excess));
}

export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** Files of an archive that are named. */
const namedFiles = 20;

/** What stayed behind of an archive, as a sentence with a space ahead of it; empty where nothing did. */
export function notTakenText(notTaken: NotTaken | undefined): string {
  if (notTaken === undefined) return "";
  const { count, files } = notTaken;
  const named = files.slice(0, namedFiles).map(({ path, reason }) => `${quoted(path)} (${reason})`);
  const more = count > named.length ? ` and ${count - named.length} more` : "";
  return ` ${counted(count, "file")} of the archive ${count === 1 ? "was" : "were"} not taken: ${named.join(", ")}${more}.`;
}

/** Parts that are present, in one line. */
export const partsOf = (...parts: readonly (string | null | undefined | false)[]): string =>
  parts.filter((part) => typeof part === "string" && part !== "").join(" · ");

/** Text that anyone may have written, which must not look like another item. */
const oneLine = (text: string): string => text.replaceAll(/\s*[\n\r\u2028\u2029]+\s*/g, " ");

export const quoted = (text: string): string => JSON.stringify(text);

/** To the minute. */
export const timeText = (time: string): string => `${time.slice(0, 16).replace("T", " ")}Z`;

/** An end, with its weekday: who asked for "until Friday" sees that it is one. */
export const endText = (time: string): string => `${weekdayOf(time)} ${timeText(time)}`;

export const actorText = ({ label, onBehalfOf }: Actor): string =>
  onBehalfOf === undefined ? `by ${label}` : `by ${label} for ${onBehalfOf.username}`;

export const accessText = ({ publicView, publicEdit }: Pick<Access, "publicView" | "publicEdit">): string =>
  publicEdit ? "public, editable by anyone signed in" : publicView ? "public" : "private";
