// The mutants of a statement in SQL: a condition that no longer counts, or a row that is no longer locked.
import type { Edit } from "./mutant.ts";

const isStatement =
  /\b(?:SELECT|UPDATE \w+|DELETE FROM|INSERT INTO|IS (?:NOT )?NULL|FOR (?:UPDATE|SHARE|NO KEY UPDATE|KEY SHARE))\b/;
/** What ends a condition, outside parentheses. */
const ending =
  /^(?:AND|OR|ORDER BY|GROUP BY|LIMIT|RETURNING|FOR (?:UPDATE|SHARE|NO|KEY)|ON|UNION|FROM|WHERE|THEN|ELSE|WHEN|END|DO|SET|VALUES|JOIN|LEFT|HAVING)\b|^[;`"]/;
const lock = /\bFOR (?:NO KEY UPDATE|UPDATE|KEY SHARE|SHARE)(?: OF \w+)?(?: SKIP LOCKED)?/g;

/**
 * The edits of a template or string between `start` and `end`. `masked` is the whole source with each expression of a
 * template replaced by word characters, so that positions stay.
 */
export function sqlEdits(masked: string, start: number, end: number): Edit[] {
  const text = masked.slice(start, end);
  if (!isStatement.test(text)) return [];
  const edits: Edit[] = [];
  for (const { index, 0: word } of text.matchAll(/\b(?:AND|WHERE)\b/g)) {
    if (word === "AND" && /\bBETWEEN\s+\S+\s+$/.test(text.slice(0, index))) continue;
    const to = conditionEnd(text, index + word.length);
    if (text.slice(index + word.length, to).trim() === "") continue;
    const by = word === "AND" ? "" : "WHERE true ";
    edits.push({ operator: "sql", start: start + index, end: start + to, text: by });
  }
  for (const { index, 0: found } of text.matchAll(lock))
    edits.push({ operator: "sql", start: start + index, end: start + index + found.length, text: "" });
  return edits;
}

function conditionEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (character === "(") depth++;
    else if (character === ")" && --depth < 0) return at;
    if (depth === 0 && /\W/.test(text[at - 1] ?? "") && ending.test(text.slice(at, at + 20))) return at;
  }
  return text.length;
}
