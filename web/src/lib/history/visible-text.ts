// A line of an author's source as it is shown in a comparison: what is changed in it, and what hides itself made visible.

/** Between two places of a text, the second not included. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface Segment {
  readonly text: string;
  readonly changed: boolean;
  /** A character that isn't seen, or turns the text around it: shown by its name. */
  readonly hidden: boolean;
}

/** A longer line ends here, and says how much is left out. Characters. */
export const longestShown = 2000;

/** Controls but the tab, what turns the direction of text, and spaces without width that no script needs. */
const hiding = /(?!\t)\p{Cc}|[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu;

/** The segments of a line and how many characters of it are left out; the ranges are in order and apart. */
export function shownLine(text: string, changed: readonly Range[]): { segments: Segment[]; leftOut: number } {
  const shown = text.slice(0, longestShown).toWellFormed();
  const segments: Segment[] = [];
  const add = (start: number, end: number, isChanged: boolean) => {
    let at = start;
    for (const found of shown.slice(start, end).matchAll(hiding)) {
      const place = start + found.index;
      if (place > at) segments.push({ text: shown.slice(at, place), changed: isChanged, hidden: false });
      segments.push({ text: nameOf(found[0]), changed: isChanged, hidden: true });
      at = place + 1;
    }
    if (end > at) segments.push({ text: shown.slice(at, end), changed: isChanged, hidden: false });
  };
  let at = 0;
  for (const { start, end } of changed) {
    if (start >= shown.length) break;
    add(at, start, false);
    at = Math.min(end, shown.length);
    add(start, at, true);
  }
  add(at, shown.length, false);
  return { segments, leftOut: text.length - shown.length };
}

const nameOf = (character: string): string =>
  character === "\r" ? "CR" : `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
