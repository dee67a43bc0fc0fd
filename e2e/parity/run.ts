// Runs the scenario on an instance of its own, by one surface: what each step said, what is left, and what was recorded,
// all in names.
import { startInstance, type Instance } from "../harness/instance.ts";
import { gather, type Cast } from "./cast.ts";
import { normalizer, type Normal } from "./normal.ts";
import { scenario, type Step } from "./scenario.ts";
import { eventsOf, stateOf } from "./state.ts";
import type { Outcome, Surface } from "./surface.ts";

export interface Story {
  readonly steps: readonly { readonly what: string; readonly outcome: unknown }[];
  readonly state: unknown;
  readonly events: readonly unknown[];
}

/** @throws Error where a step did not end as the scenario says */
export async function tell(open: (instance: Instance, cast: Cast) => Surface | Promise<Surface>): Promise<Story> {
  const instance = await startInstance();
  try {
    const cast = await gather(instance);
    const surface = await open(instance, cast);
    const normal = normalizer(instance.origin, surface);
    try {
      const steps = await play(surface, normal);
      const state = normal(await stateOf(instance, cast));
      const events = (await eventsOf(instance, cast)).map((event) => normal(told(event, surface)));
      return { steps, state, events };
    } finally {
      await surface.close();
    }
  } finally {
    await instance.stop();
  }
}

async function play(surface: Surface, normal: Normal): Promise<Story["steps"]> {
  const kept = new Map<string, Readonly<Record<string, unknown>>>();
  const known = (name: string, member: string): string => {
    const value = kept.get(name)?.[member];
    if (typeof value !== "string") throw new Error(`${surface.name}: the scenario knows no ${member} of ${name}`);
    return value;
  };
  const told = [];
  for (const step of scenario) {
    const { by, operation } = step;
    const shareToken = typeof by === "string" ? null : known(by.link, "token");
    const outcome = await surface.perform({ by, operation, input: step.input(known), shareToken });
    requireEnd(surface, step, outcome);
    if (step.keep !== undefined && "result" in outcome)
      kept.set(step.keep, outcome.result as Readonly<Record<string, unknown>>);
    told.push({ what: step.what, outcome: normal(outcome) });
  }
  return told;
}

function requireEnd({ name }: Surface, { what, refused }: Step, outcome: Outcome): void {
  const code = "refused" in outcome ? outcome.refused.code : undefined;
  if (code !== refused) throw new Error(`by ${name}, ${what}: ${JSON.stringify(outcome)}, not ${refused ?? "done"}`);
}

/** An event with its surface put in words where it is the one of this run. */
const told = <Event extends { readonly surface: string; readonly actor: { readonly type: string } }>(
  event: Event,
  { name }: Surface,
) => ({ ...event, surface: event.actor.type !== "operator" && event.surface === name ? "<surface>" : event.surface });
