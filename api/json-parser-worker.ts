// The worker of json-parser.ts: answers the texts in order.
import { getPriority, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";

import { packSync } from "@plinth/domain/storage/pack";

import { contentIn, parsePieces, type ParsedInWorker, type ParsedJson, type SentToWorker } from "./json-pieces.ts";

/** The worker's priority is lower than the server's by so much: the server gets most of a processor that both need. */
const yieldingBy = 10;
// On Linux this sets the priority of this thread only, elsewhere that of the whole process.
if (process.platform === "linux") setPriority(Math.min(19, getPriority() + yieldingBy));

parentPort?.on("message", ({ pieces, bounds }: SentToWorker) => {
  const parsed = parsePieces(pieces, bounds);
  const packed = packedOf(parsed);
  parentPort?.postMessage({ parsed, packed } satisfies ParsedInWorker, packed === null ? [] : [packed.data.buffer]);
  // A text leaves megabytes of garbage, and the collector would wait for hundreds of them.
  Bun.gc(true);
});

/** Encoding, hashing and compressing 16 MiB take 0.2 s, which the server does not have either. */
function packedOf(parsed: ParsedJson): ParsedInWorker["packed"] {
  const text = "json" in parsed ? contentIn(parsed.json) : null;
  return text === null || !text.isWellFormed() ? null : packSync(text);
}
