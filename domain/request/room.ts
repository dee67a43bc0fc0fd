// The stage before anything is written: the disk of an embedded database must have room.
import { noRoom } from "../failure.ts";
import type { Asked } from "./asked.ts";

/** A deletion makes room. @throws unavailable */
export function requireRoom({ instance, op: { effect } }: Asked): void {
  if ((effect === "create" || effect === "update") && !instance.hasRoom()) throw noRoom();
}
