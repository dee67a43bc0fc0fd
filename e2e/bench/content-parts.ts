// Measures the cost of parts of the longest text (`grep`, `outline`, `section`, lines) against the reference model of
// the tests, which makes an array of the lines and matches a pattern with each, as the product once did. Each question
// is asked in a separate process, and in the last figure of a text all are asked one after the other.
import { join } from "node:path";

import { contentBytes } from "@plinth/contract/limits";

import { repository } from "../harness/process.ts";

export interface PartCost {
  readonly cpuMs: number;
  readonly peakBytes: number;
  readonly answerBytes: number;
}

export interface PartFigure {
  readonly name: string;
  readonly product: PartCost;
  readonly baseline: PartCost;
}

/** The figure of all questions about a text. */
export const allQuestions = "all questions";

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
export async function measureContentParts(onFigure: (figure: PartFigure) => void): Promise<void> {
  for (const { name, type, piece } of texts) {
    const compare = async (asked: readonly object[], question: string) => {
      const costOf = (side: "bytes" | "lines") => run({ side, type, piece, length: contentBytes.max, asked });
      const baseline = await costOf("lines");
      onFigure({ name: `${name}, ${question}`, product: await costOf("bytes"), baseline });
    };
    for (const question of questions) await compare([question], new URLSearchParams(question as never).toString());
    await compare(questions, allQuestions);
  }
}

async function run(job: unknown): Promise<PartCost> {
  const child = Bun.spawn([process.execPath, program], {
    stdin: Buffer.from(JSON.stringify(job)),
    stdout: "pipe",
    stderr: "inherit",
  });
  const answer = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error("the program of parts failed");
  return JSON.parse(answer) as PartCost;
}
