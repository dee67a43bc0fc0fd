// Chooses the payloads of a run, and writes each for its target in every type it exists for.
import { artifactTypes, type ArtifactType } from "@plinth/contract/schemas/artifact";

import type { Collector } from "../harness/collector.ts";
import { payloads } from "./payloads/all.ts";
import type { Payload } from "./payloads/payload.ts";
import { targetOf } from "./payloads/strike.ts";

/** One payload as one document, or as one text. */
export interface Case {
  /** `type/family/what`, by which the collector identifies it. */
  readonly name: string;
  readonly payload: Payload;
  /** Of the artifact that contains it. */
  readonly type: ArtifactType;
  readonly source: string;
}

/**
 * Chooses payloads at random, from each family in turn. If all are chosen, each is tried in every type it exists for,
 * otherwise in one.
 */
export function choose(count: number, random: () => number, only?: string): Payload[] {
  const known = payloads.filter(({ family }) => only === undefined || family === only);
  if (known.length === 0) throw new Error(`there is no family ${only}`);
  const shuffled = known.map((payload) => ({ payload, at: random() })).toSorted((a, b) => a.at - b.at);
  const families = [...Map.groupBy(shuffled, ({ payload }) => payload.family).values()];
  families.sort((a, b) => (a[0]?.at ?? 0) - (b[0]?.at ?? 0));
  const chosen: Payload[] = [];
  for (let round = 0; chosen.length < Math.min(count, known.length); round++)
    for (const one of families) {
      const next = one[round]?.payload;
      if (next !== undefined && chosen.length < count) chosen.push(next);
    }
  return count < known.length ? chosen.map((payload) => asOneType(payload, random())) : chosen;
}

function asOneType(payload: Payload, at: number): Payload {
  const types = artifactTypes.filter((type) => payload.sources[type]);
  const type = types[Math.floor(at * types.length)];
  return type === undefined ? payload : { ...payload, sources: { [type]: payload.sources[type] } };
}

export interface Aimed {
  readonly collector: Collector;
  readonly app: string;
  readonly victim: string;
}

/** A text accompanies a document of each type in turn. */
export function casesOf(chosen: readonly Payload[], { collector, app, victim }: Aimed): Case[] {
  return chosen.flatMap((payload, index) => {
    const turn = artifactTypes[index % artifactTypes.length] ?? "md";
    const types = payload.text === undefined ? artifactTypes.filter((type) => payload.sources[type]) : [turn];
    return types.flatMap((type) => {
      const source = payload.text ?? payload.sources[type];
      if (source === undefined) return [];
      const name = `${type}/${payload.name}`;
      const target = targetOf({
        name: payload.name,
        collector: `${collector.origin}/${type}`,
        app,
        victim,
        socketOf: () => collector.socketOf(name),
        datagramsOf: () => collector.datagramsOf(name),
      });
      return [{ name, payload, type, source: source(target) }];
    });
  });
}

/** Why the control cannot show an effect; undefined if it must. */
export const unprovenOf = ({ payload, type }: Case): string | undefined =>
  typeof payload.unproven === "object" ? payload.unproven[type] : payload.unproven;
