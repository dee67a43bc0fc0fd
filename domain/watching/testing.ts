// A listener for tests: what it was told, and how a test waits for more.
import type { News } from "../services.ts";
import type { Manner, World } from "../test/context.ts";
import { eventId } from "./state.ts";
import type { ArtifactEvents } from "./watch.ts";

/** Watches as a surface would. */
export async function watch(world: World, artifactId: string, manner: Manner = {}, lastEventId: string | null = null) {
  const { value } = await world.answer("artifact.watch", { artifactId }, manner);
  const told: string[] = [];
  const news: News[] = [];
  const state = { room: true, ended: false, beats: 0 };
  const attachment = (value as ArtifactEvents).listen(lastEventId, {
    hasRoom: () => state.room,
    hear(item) {
      news.push(item);
      told.push(item.heard === undefined ? item.event : `${item.event} ${eventId(item.heard)}`);
    },
    beat: () => void state.beats++,
    end: () => void (state.ended = true),
  });
  return Object.assign(state, { told, news, attachment });
}

/** Waits until it holds; a test that waits for ever has hung. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await Bun.sleep(5);
}
