// The worker of json-parser.ts: answers the texts in order.
import { getPriority, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";

import { parsePieces } from "./json-pieces.ts";

/** The worker's priority is lower than the server's by so much: the server gets most of a processor that both need. */
const yieldingBy = 10;
// On Linux this sets the priority of this thread only, elsewhere that of the whole process.
if (process.platform === "linux") setPriority(Math.min(19, getPriority() + yieldingBy));

parentPort?.on("message", (pieces: Uint8Array[]) => {
  parentPort?.postMessage(parsePieces(pieces), []);
  // A text leaves megabytes of garbage, and the collector would wait for hundreds of them.
  Bun.gc(true);
});
