// Whose task goes to the threads: each caller has one there at a time, so that nobody's many tasks keep everybody
// else's waiting, who come next instead of last.
import { createTurns } from "../turns.ts";

/** Does what takes a thread when it is the caller's turn; by the key that requests are counted under. */
export const inTurn = createTurns({ atOnce: Number.POSITIVE_INFINITY, ofOneCaller: 1 });
