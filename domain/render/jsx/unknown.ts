// Messages for invalid imports: of an unknown module, or of a name that a module lacks.
import { IMPORTABLE } from "@plinth/runtime/jsx-modules";
import { isOfNode } from "./package-imports.ts";
import type { Finding } from "./problems.ts";

const MAX_SHOWN = 80;

/** That it cannot be imported, with the nearest module where one is near, or why where that can be told. */
export function unknownModule(specifier: string, at: number, why = reason(specifier)): Finding {
  const suggestion = nearestModule(specifier);
  const advice = suggestion === null ? why : `Did you mean "${suggestion}"?`;
  return {
    at,
    message: `${quoted(specifier)} cannot be imported. ${advice}`.trimEnd(),
    unknownImport: { module: shortened(specifier), suggestion },
  };
}

/** Of a component only its own name is compared: that of its folder would make all of them near. */
export function nearestModule(specifier: string): string | null {
  const folder = "@/components/ui/";
  if (!specifier.startsWith(folder)) return nearest(specifier, IMPORTABLE, Math.floor);
  const names = IMPORTABLE.filter((name) => name.startsWith(folder)).map((name) => name.slice(folder.length));
  const found = nearest(specifier.slice(folder.length), names, Math.floor);
  return found === null ? null : folder + found;
}

/** `names` are those that the module exports; `others` tells what other modules export. */
export function unknownName(
  name: string,
  specifier: string,
  names: readonly string[],
  others: Readonly<Record<string, readonly string[]>>,
): string {
  const what = name === "default" ? "default export" : `export ${quoted(name)}`;
  if (name === "default") return `${quoted(specifier)} has no ${what}; import its names in braces.`;
  const home = Object.keys(others).find((other) => other !== specifier && others[other]?.includes(name));
  const near = nearest(name, names);
  const advice =
    near !== null ? ` Did you mean "${near}"?` : home !== undefined ? ` "${home}" exports one of that name.` : "";
  return `${quoted(specifier)} has no ${what}.${advice}`;
}

function reason(specifier: string): string {
  if (isOfNode(specifier)) return "It is a module of Node.js, which browsers do not have.";
  if (/\.(css|scss|sass|less)$/.test(specifier) || specifier.startsWith("tailwindcss"))
    return "Tailwind's classes work as they are; rules of your own go into a <style> element.";
  if (/^(\.|\/|@\/|~)/.test(specifier)) return "There is no such file beside the document.";
  if (/^[a-z]+:/i.test(specifier)) return "Nothing is loaded from elsewhere.";
  return "";
}

const shortened = (text: string): string =>
  text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).toWellFormed()}…` : text;

const quoted = (text: string): string => JSON.stringify(shortened(text));

/** The name at the least distance, if that is a quarter of its length at most, or it is the beginning or end. */
function nearest(wanted: string, names: readonly string[], round = Math.ceil): string | null {
  let found: { name: string; distance: number } | null = null;
  for (const name of names) {
    const part = wanted.length >= 3 && (name === `${wanted}Icon` || name === `${wanted}s`);
    const distance = part ? 1 : editDistance(wanted, name);
    if (distance <= round(name.length / 4) && distance < (found?.distance ?? Infinity)) found = { name, distance };
  }
  return found?.name ?? null;
}

/** Levenshtein's distance, without regard to case; a name far too long is simply far. */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 8) return Infinity;
  const right = Array.from(b.toLowerCase());
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [i, left] of Array.from(a.toLowerCase()).entries()) {
    const next = [i + 1];
    for (const [j, character] of right.entries()) {
      const substituted = (row[j] ?? 0) + (left === character ? 0 : 1);
      next.push(Math.min(substituted, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? Infinity;
}
