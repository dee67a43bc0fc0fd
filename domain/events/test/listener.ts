// A listener for tests that records its events, and a function that waits for a condition.
import type { StreamEvent } from "../../services.ts";
import type { Manner, Setup } from "../../test/context.ts";
import { eventId } from "../cursor.ts";
import type { ArtifactEvents } from "../watch.ts";

/** Watches as a surface would. */
export async function watch(setup: Setup, artifactId: string, manner: Manner = {}, lastEventId: string | null = null) {
  const { value } = await setup.answer("artifact.watch", { artifactId }, manner);
  const received: string[] = [];
  const events: StreamEvent[] = [];
  const state = { room: true, ended: false, beats: 0 };
  const attachment = (value as ArtifactEvents).listen(lastEventId, {
    hasRoom: () => state.room,
    onEvent(item) {
      events.push(item);
      received.push(item.cursor === undefined ? item.event : `${item.event} ${eventId(item.cursor)}`);
    },
    heartbeat: () => void state.beats++,
    end: () => void (state.ended = true),
  });
  return Object.assign(state, { received, events, attachment });
}

/** Waits until the condition holds; the test's timeout ends the wait. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await Bun.sleep(5);
}
