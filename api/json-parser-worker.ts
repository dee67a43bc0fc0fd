// The worker of json-parser.ts: answers each text that it is sent, in order.
import { parentPort } from "node:worker_threads";

import { parsePieces } from "./json-pieces.ts";

parentPort?.on("message", (pieces: Uint8Array[]) => {
  parentPort?.postMessage(parsePieces(pieces));
  // Its garbage is counted in megabytes, and the collector would wait for hundreds of them.
  Bun.gc(true);
});
