// Measures the cost of parts of the longest text (`grep`, `outline`, `section`, lines) against the reference model of
// the tests, which makes an array of the lines and matches a pattern with each, as the product once did. Each question
// is asked in a separate process, and in the last figure of a text all are asked one after the other.
import { join } from "node:path";

import { contentBytes } from "@plinth/contract/limits";

import { repository } from "../harness/process.ts";
import { runProgram, type Run } from "./measure.ts";
import { kilobytes, megabytes, type Row } from "./report.ts";

interface PartCost {
  readonly cpuMs: number;
  readonly peakBytes: number;
  readonly answerBytes: number;
}

/** How many times less all questions about a text of short lines take than with an array of its lines. */
const ratios = { cpu: 50, memory: 20 } as const;
/** Of one question about a text that is not known. */
const limits = { cpuMs: 50, bytes: 64 * 1024 ** 2 } as const;

const program = join(repository, "domain/versions/test/part-cost.ts");

const prose = "the quick brown fox jumps over the lazy dog and runs far away..\n";
const texts = [
  { name: "two-letter lines", type: "md", piece: "a\n" },
  { name: "empty lines", type: "md", piece: "\n" },
  { name: "one line", type: "md", piece: "a" },
  { name: "headings", type: "md", piece: "# a\n" },
  { name: "prose", type: "md", piece: prose },
  { name: "prose in Cyrillic", type: "md", piece: "быстрая лиса прыгает через собаку\n" },
  { name: "unclosed tags", type: "html", piece: "<h1>" },
] as const;

const questions: readonly Record<string, unknown>[] = [
  { grep: "a" },
  { grep: "z" },
  { outline: true },
  { section: "nope" },
  { startLine: 1, endLine: 1 },
  { startLine: 4_000_000, endLine: 4_000_000 },
  { startLine: 2_147_483_647 },
];

/** Both sides of each figure, one after the other. */
export async function measureContentParts({ report }: Run): Promise<void> {
  for (const { name, type, piece } of texts) {
    const compare = async (asked: readonly object[], question: string) => {
      const costOf = (side: "bytes" | "lines") =>
        runProgram<PartCost>(program, { side, type, piece, length: contentBytes.max, asked });
      const baseline = await costOf("lines");
      report.add(rowOf(`${name}, ${question}`, asked.length === 1, await costOf("bytes"), baseline));
    };
    for (const question of questions) await compare([question], new URLSearchParams(question as never).toString());
    await compare(questions, "all questions");
  }
}

function rowOf(name: string, isOne: boolean, product: PartCost, baseline: PartCost): Row {
  const side = ({ cpuMs, peakBytes, answerBytes }: PartCost) =>
    `${cpuMs.toFixed(1)} ms, ${megabytes(peakBytes)}, answer ${kilobytes(answerBytes)}`;
  const [cpu, memory] = [baseline.cpuMs / product.cpuMs, baseline.peakBytes / product.peakBytes];
  const row = {
    figure: `part, ${name}`,
    product: side(product),
    baseline: `${side(baseline)}, by lines`,
    ratio: `${cpu.toFixed(1)} times less, memory ${memory.toFixed(1)}`,
  };
  if (isOne)
    return {
      ...row,
      target: `≤ ${limits.cpuMs} ms, ≤ ${megabytes(limits.bytes)}`,
      met: product.cpuMs <= limits.cpuMs && product.peakBytes <= limits.bytes,
    };
  // Of other texts an array of lines takes less than of short ones.
  if (!name.startsWith("two-letter")) return row;
  const target = `≥ ${ratios.cpu}, memory ≥ ${ratios.memory}`;
  return { ...row, target, met: cpu >= ratios.cpu && memory >= ratios.memory };
}
