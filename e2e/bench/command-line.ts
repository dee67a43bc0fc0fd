// Measures the start time of the command line against an empty program of the same runtime, compiled or in Node.
import { dirname, join } from "node:path";

import { distributions } from "../harness/distributions.ts";
import { median, type Run } from "./measure.ts";

const [binary, node] = distributions;
const rounds = 40;

/** Alternates all commands within a round, so that other load on the machine affects all of them equally. */
export async function measureCommandStarts({ report, place }: Run): Promise<void> {
  const empty = await compileEmpty(place("command-line"));
  const nothing = [node.command[0] ?? "", "-e", ""];
  const cases = [
    { name: "plinth --version, compiled", command: [...binary.command, "--version"], baseline: [empty], limit: 1.5 },
    { name: "plinth schema, compiled", command: [...binary.command, "schema"], baseline: [empty], limit: 3 },
    { name: "plinth --version, Node", command: [...node.command, "--version"], baseline: nothing, limit: null },
    { name: "plinth schema, Node", command: [...node.command, "schema"], baseline: nothing, limit: null },
  ];
  const taken = cases.map(() => ({ product: [] as number[], baseline: [] as number[] }));
  for (let round = 0; round < rounds; round++)
    for (const [n, { command, baseline }] of cases.entries()) {
      const product = () => taken[n]?.product.push(timeOf(command));
      const bare = () => taken[n]?.baseline.push(timeOf(baseline));
      for (const side of round % 2 === 0 ? [product, bare] : [bare, product]) side();
    }
  for (const [n, { name, limit }] of cases.entries()) {
    const [product, baseline] = [median(taken[n]?.product ?? []), median(taken[n]?.baseline ?? [])];
    report.add({
      figure: name,
      product: `${product.toFixed(1)} ms`,
      baseline: `${baseline.toFixed(1)} ms empty program`,
      ratio: (product / baseline).toFixed(2),
      ...(limit !== null && { target: `≤ ${limit}`, met: product / baseline <= limit }),
    });
  }
}

/** Compiles an empty program. */
async function compileEmpty(directory: string): Promise<string> {
  const source = join(directory, "empty.ts");
  const outfile = join(directory, "empty");
  await Bun.write(source, "");
  const words = ["build", "--compile", "--bytecode", "--minify", `--outfile=${outfile}`, source];
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, ...words], { cwd: dirname(source) });
  if (exitCode !== 0) throw new Error(`an empty program could not be compiled: ${stderr.toString()}`);
  return outfile;
}

function timeOf(command: readonly string[]): number {
  const started = performance.now();
  const { exitCode } = Bun.spawnSync([...command], { stdout: "ignore", stderr: "inherit" });
  if (exitCode !== 0) throw new Error(`${command.join(" ")} failed`);
  return performance.now() - started;
}
