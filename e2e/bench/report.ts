// The results: a table for people and the same as JSON, each figure beside its target.
import { mkdirSync, writeFileSync } from "node:fs";
import { arch, cpus, platform } from "node:os";
import { join } from "node:path";

export interface Row {
  readonly figure: string;
  readonly product: string;
  readonly baseline?: string;
  readonly ratio?: string;
  readonly target?: string;
  /** Without a target it is left out. */
  readonly met?: boolean;
}

export class Report {
  readonly #rows: Row[] = [];

  /** Prints the row at once, because the run is long. */
  add(row: Row): void {
    this.#rows.push(row);
    const { figure, product, baseline, ratio } = row;
    console.error(`${figure}: ${[product, baseline, ratio].filter((cell) => cell !== undefined).join(", ")}`);
  }

  /** A value with an upper limit. */
  limited(figure: string, value: number, limit: number, unit: string): void {
    const target = `< ${whole(limit)} ${unit}`;
    this.add({ figure, product: `${whole(value)} ${unit}`, target, met: value < limit });
  }

  print(): void {
    const columns = ["figure", "product", "baseline", "ratio", "target", "met"];
    const shown = ({ met, ...row }: Row) => ({ ...row, met: met === undefined ? "" : met ? "yes" : "MISSED" });
    console.table(this.#rows.map(shown), columns);
  }

  /** Writes `<time>.json` into a directory. */
  write(directory: string): void {
    const date = new Date().toISOString();
    const { length, [0]: first } = cpus();
    const machine = { platform: platform(), arch: arch(), cpus: length, model: first?.model, bun: Bun.version };
    mkdirSync(directory, { recursive: true });
    const path = join(directory, `${date.replaceAll(":", "-")}.json`);
    writeFileSync(path, `${JSON.stringify({ date, machine, rows: this.#rows }, null, 2)}\n`);
    console.error(`written to ${path}`);
  }
}

export const whole = (number: number): string => Math.round(number).toLocaleString("en");
export const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KB`;
export const megabytes = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MB`;
