// Replaces what differs between two instances by names: identifiers in order of appearance, times, tokens, URLs, and
// the actor's type. Every other difference remains.
import { actorTypes, type Actor } from "@plinth/contract/schemas/actor";

import type { Surface } from "./surface.ts";

export interface Normal {
  (value: unknown): unknown;
}

const ids = /\b(art|prj|wsp|usr|shr|key|agt|inv|evt|ses)_[0-9a-hjkmnp-tv-z]{26}\b/g;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Remembers its names, so that an identifier has one name in a whole run. */
export function normalizer(origin: string, { actorType }: Pick<Surface, "actorType">): Normal {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  function nameOf(id: string, prefix: string): string {
    const known = names.get(id);
    if (known !== undefined) return known;
    const count = (counts.get(prefix) ?? 0) + 1;
    counts.set(prefix, count);
    const name = `<${prefix} ${count}>`;
    names.set(id, name);
    return name;
  }
  const text = (value: string): string =>
    time.test(value)
      ? timeInWords(value)
      : value
          .replaceAll(ids, (id, prefix: string) => nameOf(id, prefix))
          .replaceAll(origin, "<origin>")
          .replaceAll(/\bpls_\w+/g, "<token>");

  const actor = ({ type, id, label, onBehalfOf }: Actor): unknown => {
    if (type !== "user" && type !== "api_key" && type !== "agent") return { type, id: text(id), label: text(label) };
    if (type !== actorType) return { unexpected: type };
    return { person: text(onBehalfOf?.userId ?? id) };
  };

  const normal = (value: unknown, name = ""): unknown => {
    if (typeof value === "string") return name === "requestId" || name === "nextCursor" ? `<${name}>` : text(value);
    if (Array.isArray(value)) return value.map((item) => normal(item));
    if (typeof value !== "object" || value === null) return value;
    if (isActor(value)) return actor(value);
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, normal(member, key)]));
  };
  return (value) => normal(value);
}

/** A future time in days, as it was meant. */
function timeInWords(value: string): string {
  const days = Math.round((Date.parse(value) - Date.now()) / 86_400_000);
  return days > 0 ? `<in ${days} days>` : "<time>";
}

const isActor = (value: object): value is Actor =>
  "id" in value && "label" in value && "type" in value && actorTypes.some((type) => type === value.type);
