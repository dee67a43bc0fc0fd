// Runs the scenario on a separate instance by one surface; returns the outcome of each step, the final state and the
// events, with names for identifiers.
import { startInstance, type Instance } from "../harness/instance.ts";
import { createParticipants, type Participants } from "./participants.ts";
import { normalizer, type Normal } from "./normal.ts";
import { scenario, type Step } from "./scenario.ts";
import { recordedOf, stateOf } from "./state.ts";
import type { Outcome, RecordedEvent, Surface } from "./surface.ts";

export interface ScenarioRun {
  readonly steps: readonly { readonly what: string; readonly outcome: unknown }[];
  readonly state: unknown;
  readonly events: readonly unknown[];
  readonly uses: readonly unknown[];
}

type Open = (instance: Instance, participants: Participants) => Surface | Promise<Surface>;

/** @throws Error if a step did not end as the scenario says */
export async function runScenario(open: Open): Promise<ScenarioRun> {
  const instance = await startInstance();
  try {
    return await runScenarioOn(instance, open);
  } finally {
    await instance.stop();
  }
}

/** For any kind of instance without previous events. */
export async function runScenarioOn(instance: Instance, open: Open): Promise<ScenarioRun> {
  const participants = await createParticipants(instance);
  const surface = await open(instance, participants);
  const normal = normalizer(instance.origin, surface);
  try {
    const steps = await runSteps(surface, normal);
    const state = normal(await stateOf(instance, participants));
    const { events, uses } = await recordedOf(instance, participants);
    const name = (event: RecordedEvent) => normal(withoutSurface(event, surface));
    return { steps, state, events: events.map(name), uses: uses.map(name) };
  } finally {
    await surface.close();
  }
}

async function runSteps(surface: Surface, normal: Normal): Promise<ScenarioRun["steps"]> {
  const kept = new Map<string, Readonly<Record<string, unknown>>>();
  const known = (name: string, member: string): string => {
    const value = kept.get(name)?.[member];
    if (typeof value !== "string") throw new Error(`${surface.name}: the scenario knows no ${member} of ${name}`);
    return value;
  };
  const results = [];
  for (const step of scenario) {
    const { by, operation } = step;
    const shareToken = typeof by === "string" ? null : known(by.link, "token");
    const outcome = await surface.perform({ by, operation, input: step.input(known), shareToken });
    requireEnd(surface, step, outcome);
    if (step.keep !== undefined && "result" in outcome)
      kept.set(step.keep, outcome.result as Readonly<Record<string, unknown>>);
    results.push({ what: step.what, outcome: normal(outcome) });
  }
  return results;
}

function requireEnd({ name }: Surface, { what, refused }: Step, outcome: Outcome): void {
  const code = "refused" in outcome ? outcome.refused.code : undefined;
  if (code !== refused) throw new Error(`by ${name}, ${what}: ${JSON.stringify(outcome)}, not ${refused ?? "done"}`);
}

/** An event without its surface and program if they are those of this run. */
function withoutSurface<Event extends RecordedEvent>(
  event: Event,
  { name, client, isBeside }: Surface,
): Event | Omit<Event, "client"> {
  const { client: said, ...rest } = event;
  const [surface, program] = isBeside?.(event) ? ["api", undefined] : [name, client];
  const isOwn = event.actor.type !== "operator" && event.surface === surface && said === program;
  return isOwn ? { ...rest, surface: "<surface>" } : event;
}
