// The results: a table for people and the same as JSON, each figure beside its target.
import { mkdirSync, writeFileSync } from "node:fs";
import { arch, cpus, platform } from "node:os";
import { join } from "node:path";

import type { BombFigure } from "./bombs.ts";
import type { CommandStart } from "./command-line.ts";
import { areaLimit, type Timing } from "./hidden-timing.ts";
import type { LargeFigure } from "./large-pages.ts";
import { economyLimits, type Economy } from "./mcp.ts";
import type { Figure } from "./measure.ts";
import type { Memory } from "./memory.ts";
import { largeLines, pageLines, type Line } from "./page-report.ts";
import type { PageFigure } from "./pages.ts";
import type { ScaleFigure } from "./scale.ts";
import type { SearchFigure } from "./search.ts";
import type { Starts } from "./starts.ts";
import type { HotPath } from "./statements.ts";

interface Target {
  readonly ratio?: number;
  /** Of the product, per second. */
  readonly perSecond?: number;
}

const targets: Readonly<Record<string, Target>> = {
  "publish, 16 at once": { ratio: 0.9, perSecond: 1000 },
  // At most 1.3 times the publish without them.
  "publish html with 5 kept packages, 1 at once": { ratio: 0.77 },
  "publish html with 5 kept packages, 16 at once": { ratio: 0.77 },
  "content 10 KB, one artifact, 32 connections": { ratio: 0.5 },
  "content 10 KB, bytes cached, 32 connections": { ratio: 0.5 },
  "bearer check of a key, content, 32 connections": { ratio: 0.6 },
  "bearer check of a key, artifact, 32 connections": { ratio: 0.6 },
  "session, content, 32 connections": { ratio: 0.6 },
  "session, artifact, 32 connections": { ratio: 0.6 },
  "MCP tools/call, 32 connections": { ratio: 0.7 },
};

/** The highest cost of a search among 200,000 artifacts, relative to one among 2,000. */
const searchRatio = 1.5;
/** The highest cost of any request among a million artifacts, relative to a thousand. */
const scaleRatio = 1.5;
const mebibyte = 1024 * 1024;

/** Milliseconds: of the slowest answer for the content itself (null if it has no limit), and for other requests. */
export interface BombLimits {
  readonly answer: number | null;
  readonly other: number;
  /** Of the event loop, counted in time that the server computed. */
  readonly held: number;
}

export class Report {
  statements: Record<HotPath, number> | null = null;
  /** When the last request is answered, and after the garbage collection. */
  memoryAtOnce: Memory | null = null;
  memory: Memory | null = null;
  #starts: Starts | null = null;
  #commandStarts: readonly CommandStart[] = [];
  #searches: readonly SearchFigure[] = [];
  #scales: readonly ScaleFigure[] = [];
  #economy: Economy | null = null;
  readonly #pages: PageFigure[] = [];
  readonly #interactions: LargeFigure[] = [];
  readonly #timings: Timing[] = [];
  readonly #bombs: { set: string; figure: BombFigure; limits: BombLimits }[] = [];
  readonly #figures: { path: HotPath; baseline: string; figure: Figure }[] = [];

  /** Adds a figure and prints it, because the run is long. */
  figure(
    path: HotPath,
    figure: Figure,
    baseline = path === "publish" ? "transaction" : path === "page" ? "bare page" : "bare route",
  ): void {
    this.#figures.push({ path, baseline, figure });
    console.error(
      `${figure.name}: ${whole(figure.product)}/s, ${baseline} ${whole(figure.baseline)}/s, ratio ${figure.ratio.toFixed(2)}`,
    );
  }

  timing(timing: Timing): void {
    this.#timings.push(timing);
    console.error(`${timing.name}: area ${timing.area.toFixed(3)} of ${timing.pairs} pairs`);
  }

  bomb(set: string, figure: BombFigure, limits: BombLimits): void {
    this.#bombs.push({ set, figure, limits });
    const took = Object.entries(figure.took).map(([what, ms]) => `${what} ${whole(ms)}`);
    console.error(
      `${figure.name}: ${figure.outcome}, ${took.join(", ")} ms; others ${figure.median.toFixed(1)} ms, at worst ${whole(figure.slowest)} ms of ${figure.answered}; held for ${whole(figure.held)} ms`,
    );
  }

  page(figure: PageFigure): void {
    this.#pages.push(figure);
    console.error(JSON.stringify(figure));
  }

  interaction(figure: LargeFigure): void {
    this.#interactions.push(figure);
    console.error(JSON.stringify(figure));
  }

  starts(starts: Starts): void {
    this.#starts = starts;
  }

  economy(economy: Economy): void {
    this.#economy = economy;
    console.error(`tools/list ${economy.tools} tokens; publish, edit and compare ${economy.work} tokens`);
  }

  commandStarts(figures: readonly CommandStart[]): void {
    this.#commandStarts = figures;
  }

  searches(figures: readonly SearchFigure[]): void {
    this.#searches = figures;
  }

  scales(figures: readonly ScaleFigure[]): void {
    this.#scales = figures;
  }

  print(): void {
    const lines = this.#lines();
    const columns = ["figure", "product", "baseline", "ratio", "target", "statements"] as const;
    const widths = columns.map((column) => Math.max(column.length, ...lines.map((line) => line[column].length)));
    const row = (cells: readonly string[]) =>
      cells
        .map((cell, place) => cell.padEnd(widths[place] ?? 0))
        .join("  ")
        .trimEnd();
    console.log(row(columns));
    for (const line of lines)
      console.log(row(columns.map((column) => line[column])) + (line.met === false ? "  MISSED" : ""));
  }

  /** Writes `<time>.json` into a directory. */
  write(directory: string): void {
    const date = new Date().toISOString();
    const machine = {
      platform: platform(),
      arch: arch(),
      cpus: cpus().length,
      model: cpus()[0]?.model,
      bun: Bun.version,
    };
    const outcome = {
      date,
      machine,
      figures: this.#figures,
      statements: this.statements,
      memoryAtOnce: this.memoryAtOnce,
      memory: this.memory,
      starts: this.#starts,
      commandStarts: this.#commandStarts,
      searches: this.#searches,
      scales: this.#scales,
      economy: this.#economy,
      pages: this.#pages,
      interactions: this.#interactions,
      timings: this.#timings,
      bombs: this.#bombs,
      lines: this.#lines(),
    };
    mkdirSync(directory, { recursive: true });
    const path = join(directory, `${date.replaceAll(":", "-")}.json`);
    writeFileSync(path, `${JSON.stringify(outcome, null, 2)}\n`);
    console.error(`written to ${path}`);
  }

  #lines(): Line[] {
    const figures = this.#figures.map(({ path, baseline, figure }): Line => {
      const target = baseline === "one statement" ? undefined : targets[figure.name];
      return {
        figure: figure.name,
        product: `${whole(figure.product)}/s (p99 ${figure.p99.toFixed(1)} ms)`,
        baseline: `${whole(figure.baseline)}/s ${baseline}`,
        ratio: figure.ratio.toFixed(2),
        target: describe(target),
        met:
          target === undefined
            ? null
            : figure.ratio >= (target.ratio ?? 0) && figure.product >= (target.perSecond ?? 0),
        statements: `${this.statements?.[path] ?? ""}`,
      };
    });
    return [
      ...figures,
      ...this.#timingLines(),
      ...this.#bombLines(),
      ...this.#updateLine(),
      ...this.#memoryLines(),
      ...this.#startLines(),
      ...this.#commandStartLines(),
      ...this.#searchLines(),
      ...this.#scaleLines(),
      ...this.#economyLines(),
      ...pageLines(this.#pages),
      ...largeLines(this.#interactions),
    ];
  }

  #timingLines(): Line[] {
    return this.#timings.map(({ name, area, hidden, missing }): Line => ({
      figure: name,
      product: `${hidden.toFixed(3)} ms hidden`,
      baseline: `${missing.toFixed(3)} ms missing`,
      ratio: area.toFixed(3),
      target: `area < ${areaLimit}`,
      met: area < areaLimit,
      statements: "",
    }));
  }

  #economyLines(): Line[] {
    if (this.#economy === null) return [];
    const { tools, work } = this.#economy;
    const line = (figure: string, tokens: number, limit: number): Line => ({
      figure,
      product: `${tokens} tokens`,
      baseline: "",
      ratio: "",
      target: `< ${limit}`,
      met: tokens < limit,
      statements: "",
    });
    return [
      line("MCP tools/list", tools, economyLimits.tools),
      line("MCP publish 100 KB, change a line, compare", work, economyLimits.work),
    ];
  }

  #bombLines(): Line[] {
    return this.#bombs.map(({ set, figure, limits }) => ({
      figure: `${set}, ${figure.name}`,
      product: `${whole(figure.worst)} ms (${figure.outcome}), loop held for ${whole(figure.held)} ms`,
      baseline: `others ${figure.median.toFixed(1)} ms, at worst ${whole(figure.slowest)} ms`,
      ratio: "",
      target: [
        ...(limits.answer === null ? [] : [`≤ ${limits.answer} ms`]),
        `others < ${limits.other} ms`,
        `held < ${limits.held} ms`,
      ].join(", "),
      met: figure.worst <= (limits.answer ?? Infinity) && figure.slowest < limits.other && figure.held < limits.held,
      statements: "",
    }));
  }

  #updateLine(): Line[] {
    if (this.statements === null) return [];
    return [
      {
        figure: "new version",
        product: "",
        baseline: "",
        ratio: "",
        target: "",
        met: null,
        statements: `${this.statements.update}`,
      },
    ];
  }

  #memoryLines(): Line[] {
    if (this.memory === null) return [];
    const { server, postgres, postgresProcesses } = this.memory;
    const atOnce = Math.round((this.memoryAtOnce?.server ?? 0) / mebibyte);
    return [
      limited(`memory of the server (PSS; at once ${atOnce} MB)`, server / mebibyte, 250, "MB"),
      limited(`memory of PostgreSQL (PSS, ${postgresProcesses} processes)`, postgres / mebibyte, 150, "MB"),
    ];
  }

  /** Among 200,000 artifacts, beside 2,000. */
  #searchLines(): Line[] {
    return this.#searches.map(({ name, isRare, few, many, ratio, found, pages, toInsider }) => ({
      figure: `search, ${name}`,
      product: `${many.toFixed(2)} ms (${found.many} found, ${pages} pages, ${toInsider.toFixed(2)} of insider)`,
      baseline: `${few.toFixed(2)} ms (${found.few} found)`,
      ratio: ratio.toFixed(2),
      target: isRare ? `≤ ${searchRatio}` : "",
      met: isRare ? ratio <= searchRatio : null,
      statements: "",
    }));
  }

  /** Judged by computed time if that is known, because clock time depends on other load. */
  #scaleLines(): Line[] {
    return this.#scales.map(({ name, few, many, ratio, computed, pages }) => {
      const side = (ms: number, ownMs: number | undefined, read: number | undefined) =>
        [`${ms.toFixed(2)} ms`, ownMs && `computed ${ownMs.toFixed(2)} ms`, read && `${read} pages`]
          .filter(Boolean)
          .join(", ");
      return {
        figure: `scale, ${name}`,
        product: side(many, computed?.many, pages?.many),
        baseline: side(few, computed?.few, pages?.few),
        ratio: `${ratio.toFixed(2)}${computed === null ? "" : `, computed ${computed.ratio.toFixed(2)}`}`,
        target: `≤ ${scaleRatio}`,
        met: (computed?.ratio ?? ratio) <= scaleRatio,
        statements: "",
      };
    });
  }

  /** Of the command line, beside a program that does nothing. */
  #commandStartLines(): Line[] {
    return this.#commandStarts.map(({ name, product, baseline, ratio, limit }) => ({
      figure: name,
      product: `${product.toFixed(1)} ms`,
      baseline: `${baseline.toFixed(1)} ms empty program`,
      ratio: ratio.toFixed(2),
      target: limit === null ? "" : `≤ ${limit}`,
      met: limit === null ? null : ratio <= limit,
      statements: "",
    }));
  }

  #startLines(): Line[] {
    if (this.#starts === null) return [];
    return [
      limited("start to ready, new data directory", this.#starts.newDirectory, 3500, "ms"),
      limited("start to ready, existing data directory", this.#starts.existingDirectory, 1500, "ms"),
    ];
  }
}

const whole = (number: number): string => Math.round(number).toLocaleString("en");

const limited = (figure: string, value: number, limit: number, unit: string): Line => ({
  figure,
  product: `${whole(value)} ${unit}`,
  baseline: "",
  ratio: "",
  target: `< ${whole(limit)} ${unit}`,
  met: value < limit,
  statements: "",
});

function describe(target: Target | undefined): string {
  if (target === undefined) return "";
  const ratio = target.ratio === undefined ? [] : [`≥ ${target.ratio}`];
  const perSecond = target.perSecond === undefined ? [] : [`≥ ${whole(target.perSecond)}/s`];
  return [...ratio, ...perSecond].join(", ");
}
