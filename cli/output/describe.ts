// A resource in words: one line a member, nested members named by their way there. Knows no resource.
import { actorInWords } from "@plinth/contract/actor-words";
import type { Actor } from "@plinth/contract/schemas/actor";

import { oneLine, type Style } from "../terminal/style.ts";
import { width } from "../terminal/width.ts";
import { fileSize, isTime, relativeTime, spaced } from "./formatting.ts";

/** Describes any result; members without a value are left out, and those `shownOnce` say so, last. */
export function describe(value: unknown, style: Style, shownOnce: readonly string[] = []): string {
  const isOnce = ([name]: readonly [string, string]) => shownOnce.includes(name);
  const lines = linesOf(value, "")
    .toSorted((a, b) => Number(isOnce(a)) - Number(isOnce(b)))
    .map(([name, text]): [string, string] => [isOnce([name, text]) ? `${name} (shown once)` : name, text]);
  const column = Math.max(0, ...lines.map(([name]) => width(name)));
  return lines
    .map(([name, text]): [string, string] => [name, /^https?:\/\/\S+$/.test(text) ? style.link(text, text) : text])
    .map(([name, text]) => (name === "" ? text : `${style.paint("dim", name.padEnd(column))}  ${text}`))
    .join("\n");
}

function linesOf(value: unknown, name: string): [string, string][] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) {
    if (value.some((item) => typeof item === "object"))
      return value.flatMap((item, place) => linesOf(item, `${name} ${place + 1}`.trim()));
    return [[name, value.length === 0 ? "none" : value.map((item) => oneLine(String(item))).join(", ")]];
  }
  if (typeof value !== "object") return [[name.replace(/ bytes$/, ""), inWords(name, value)]];
  if (isActor(value)) return [[name, oneLine(actorInWords(value))]];
  const members = Object.entries(value);
  if (name !== "" && members.length > 2 && members.every(([, member]) => typeof member === "boolean")) {
    const held = members.filter(([, member]) => member).map(([key]) => spaced(key));
    return [[name, held.join(", ") || "none"]];
  }
  return members.flatMap(([key, member]) => linesOf(member, `${name} ${spaced(key)}`.trim()));
}

const isActor = (value: object): value is Actor => "type" in value && "id" in value && "label" in value;

function inWords(name: string, value: unknown): string {
  if (isTime(value)) return `${relativeTime(value)} (${value})`;
  if (typeof value === "number") return name.endsWith("bytes") ? fileSize(value) : value.toLocaleString("en");
  if (typeof value === "boolean") return value ? "yes" : "no";
  return oneLine(String(value));
}
