// Measures the start time of the command line against an empty program of the same runtime, compiled or in Node.
import { dirname, join } from "node:path";

import { distributions } from "../harness/distributions.ts";
import { median } from "./measure.ts";

export interface CommandStart {
  readonly name: string;
  /** Milliseconds from the start of the process to its end. */
  readonly product: number;
  readonly baseline: number;
  readonly ratio: number;
  /** The highest ratio allowed; null if only the figure is wanted. */
  readonly limit: number | null;
}

const [binary, node] = distributions;
const rounds = 40;

/** Alternates all commands within a round, so that other load on the machine affects all of them equally. */
export async function measureCommandStarts(directory: string): Promise<CommandStart[]> {
  const empty = await compileEmpty(directory);
  const nothing = [node.command[0] ?? "", "-e", ""];
  const cases = [
    { name: "plinth --version, compiled", command: [...binary.command, "--version"], baseline: [empty], limit: 1.5 },
    { name: "plinth schema, compiled", command: [...binary.command, "schema"], baseline: [empty], limit: 3 },
    { name: "plinth --version, Node", command: [...node.command, "--version"], baseline: nothing, limit: null },
    { name: "plinth schema, Node", command: [...node.command, "schema"], baseline: nothing, limit: null },
  ];
  const taken = cases.map(() => ({ product: [] as number[], baseline: [] as number[] }));
  for (let round = 0; round < rounds; round++)
    for (const [place, { command, baseline }] of cases.entries()) {
      const product = () => taken[place]?.product.push(timeOf(command));
      const bare = () => taken[place]?.baseline.push(timeOf(baseline));
      for (const side of round % 2 === 0 ? [product, bare] : [bare, product]) side();
    }
  return cases.map(({ name, limit }, place) => {
    const product = median(taken[place]?.product ?? []);
    const baseline = median(taken[place]?.baseline ?? []);
    return { name, product, baseline, ratio: product / baseline, limit };
  });
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
