// A program that answers questions about a text one after the other and prints what they took (Linux): processor time of the
// process, and the memory by which its peak rose. `bun run bench --only content-parts` starts it for each side and question.
import { readFileSync, writeFileSync } from "node:fs";

import { AppError } from "@plinth/contract/errors";

import { textOf } from "../../storage/pack.ts";
import { partOf, type WantedPart } from "../content-part.ts";
import { partByLines } from "./parts-by-lines.ts";

interface PartJob {
  readonly side: "bytes" | "lines";
  readonly type: "md" | "html";
  /** Repeated until the text has so many bytes. */
  readonly piece: string;
  readonly length: number;
  readonly asked: readonly WantedPart[];
}

const { side, type, piece, length, asked } = (await Bun.stdin.json()) as PartJob;
const bytes = new Uint8Array(Buffer.alloc(length, piece).buffer);

const ask = (wanted: WantedPart): number =>
  side === "bytes"
    ? partOf({ bytes, sha256: "of the text", type }, wanted).bytes.length
    : Buffer.byteLength(partByLines(textOf(bytes), type, wanted).text);

/** A refusal has no answer. */
function answered(wanted: WantedPart): number {
  try {
    return ask(wanted);
  } catch (error) {
    if (error instanceof AppError) return 0;
    throw error;
  }
}

/** Bytes; the peak is that since `clear_refs` was written. */
const memoryOf = (field: "VmRSS" | "VmHWM"): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(readFileSync("/proc/self/status", "utf8"))?.[1]) * 1024;

Bun.gc(true);
writeFileSync("/proc/self/clear_refs", "5");
const memory = memoryOf("VmRSS");
const before = process.cpuUsage();
const answerBytes = asked.reduce((sum, wanted) => sum + answered(wanted), 0);
const { user, system } = process.cpuUsage(before);
const peakBytes = Math.max(0, memoryOf("VmHWM") - memory);
process.stdout.write(JSON.stringify({ cpuMs: (user + system) / 1000, peakBytes, answerBytes }));
