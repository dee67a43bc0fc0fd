// The worker of json-parser.ts: answers each text that it is sent, in order.
import { getPriority, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";

import { parsePieces } from "./json-pieces.ts";

/** Below the server by so much: it gets most of a processor that both want. */
const yieldingBy = 10;
// On Linux this is the priority of this thread alone, elsewhere that of the whole process.
if (process.platform === "linux") setPriority(Math.min(19, getPriority() + yieldingBy));

parentPort?.on("message", (pieces: Uint8Array[]) => {
  parentPort?.postMessage(parsePieces(pieces), []);
  // Its garbage is counted in megabytes, and the collector would wait for hundreds of them.
  Bun.gc(true);
});
