// The results: a table for people and the same as JSON, each figure beside its target.
import { mkdirSync, writeFileSync } from "node:fs";
import { arch, cpus, platform } from "node:os";
import { join } from "node:path";

import { pageBudgets, scriptBudget } from "../harness/page-budgets.ts";
import type { BombFigure } from "./bombs.ts";
import type { CommandStart } from "./command-line.ts";
import { allQuestions, type PartCost, type PartFigure } from "./content-parts.ts";
import { areaLimit, type Timing } from "./hidden-timing.ts";
import { largeBudget, type LargeFigure } from "./large-pages.ts";
import { economyLimits, type Economy } from "./mcp.ts";
import type { FloodFigure } from "./flood.ts";
import type { LeasedMemoryFigure } from "./leased-memory.ts";
import type { LeaseFigure } from "./leases.ts";
import type { Figure } from "./measure.ts";
import type { Memory } from "./memory.ts";
import type { PageFigure } from "./pages.ts";
import type { ScaleFigure } from "./scale.ts";
import type { SearchFigure } from "./search.ts";
import type { Starts } from "./starts.ts";
import type { ViewFigure } from "./views.ts";

interface Line {
  readonly figure: string;
  readonly product: string;
  readonly baseline?: string;
  readonly ratio?: string;
  readonly target?: string;
  /** Without a target it is left out. */
  readonly met?: boolean;
}

interface Target {
  readonly ratio: number;
  /** Of the product, per second. */
  readonly perSecond?: number;
}

const targets: Readonly<Record<string, Target>> = {
  "publish, 1 at once": { ratio: 0.6 },
  "publish, 16 at once": { ratio: 0.8, perSecond: 1000 },
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
  ...Object.fromEntries(
    ["one artifact", "a thousand in turns"].flatMap((what) =>
      [32, 128].flatMap((connections): [string, Target][] => [
        [`raw, ${what}, ${connections} connections`, { ratio: 0.85 }],
        [`by-path, ${what}, ${connections} connections`, { ratio: 0.6 }],
        [`raw, 304, ${what}, ${connections} connections`, { ratio: 0.6 }],
        [`by-path, 304, ${what}, ${connections} connections`, { ratio: 0.6 }],
      ]),
    ),
  ),
  "publish 9 KB, 64 at once": { ratio: 1 },
};

/** Views each second of a 9 KB document that anyone may see. */
const viewsPerSecond = 3500;
/** The p99 after a flood, relative to a quiet instance. */
const floodRatio = 2;

/** Milliseconds that a write waits for holders that are well, and for one that has stopped: its lease, and the timer's delay. */
const waitMs = 5;
const leaseMs = 2000;
/** Bytes that answers from memory may take in all. */
const leasedBytes = 30 * 1024 ** 2;

/** How many times less all questions about a text take than with an array of its lines. */
const partRatios = { cpu: 50, memory: 20 } as const;
/** Of one question about a text that is not known: milliseconds of the processor, and bytes. */
const partLimits = { cpuMs: 50, bytes: 64 * 1024 ** 2 } as const;

/** Milliseconds that 95 of 100 searches take at most, of rare and of common words. */
const searchMs = 150;
/** The highest cost among a million artifacts, relative to a thousand: of lists and searches, and of everything else. */
const scaleRatios = { lists: 1.5, others: 1.3 } as const;
/** Lists and searches by the names of their figures, as in `asks` (scale-side.ts). */
const isListOrSearch = (name: string): boolean => /^(?:mine|largest): |\b(?:list|search|audit)\b/.test(name);

/** Milliseconds: of the slowest answer for the content itself (null if it has no limit), and for other requests. */
export interface BombLimits {
  readonly answer: number | null;
  readonly other: number;
  /** Of the event loop, counted in time that the server computed. */
  readonly held: number;
}

export class Report {
  readonly #lines: Line[] = [];
  readonly #measured: Record<string, object[]> = {};

  /** Product and baseline in turn, per second. */
  figure(figure: Figure, baseline: string): void {
    const target = targets[figure.name];
    this.#add("figures", figure, {
      figure: figure.name,
      product: `${whole(figure.product)}/s (p99 ${figure.p99.toFixed(1)} ms)`,
      baseline: `${whole(figure.baseline)}/s ${baseline}`,
      ratio: figure.ratio.toFixed(2),
      ...(target && {
        target: `≥ ${target.ratio}${target.perSecond === undefined ? "" : `, ≥ ${whole(target.perSecond)}/s`}`,
        met: figure.ratio >= target.ratio && figure.product >= (target.perSecond ?? 0),
      }),
    });
  }

  view(figure: ViewFigure): void {
    const { name, perSecond, p50, p99 } = figure;
    this.#add("views", figure, {
      figure: name,
      product: `${whole(perSecond)}/s (p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms)`,
      target: `≥ ${whole(viewsPerSecond)}/s`,
      met: perSecond >= viewsPerSecond,
    });
  }

  flood(figure: FloodFigure): void {
    const { name, quiet, first, worst } = figure;
    this.#add("floods", figure, {
      figure: name,
      product: `${first.toFixed(1)} ms in the first second, ${worst.toFixed(1)} ms in the worst`,
      baseline: `${quiet.toFixed(1)} ms quiet`,
      ratio: (worst / quiet).toFixed(2),
      target: `≤ ${floodRatio}`,
      met: worst <= floodRatio * quiet,
    });
  }

  lease(figure: LeaseFigure): void {
    const { name, median, p99, most } = figure;
    const isStopped = name.includes("stopped");
    this.#add("leases", figure, {
      figure: name,
      product: `${median.toFixed(1)} ms (p99 ${p99.toFixed(1)} ms, at most ${whole(most)} ms)`,
      target: isStopped ? `≤ ${leaseMs} ms` : `p99 < ${waitMs} ms`,
      met: isStopped ? most <= leaseMs : p99 < waitMs,
    });
  }

  timing(timing: Timing): void {
    const { name, area, hidden, missing } = timing;
    this.#add("timings", timing, {
      figure: name,
      product: `${hidden.toFixed(3)} ms hidden`,
      baseline: `${missing.toFixed(3)} ms missing`,
      ratio: area.toFixed(3),
      target: `area < ${areaLimit}`,
      met: area < areaLimit,
    });
  }

  bomb(set: string, figure: BombFigure, limits: BombLimits): void {
    const answer = limits.answer ?? Infinity;
    this.#add(
      "bombs",
      { set, ...figure },
      {
        figure: `${set}, ${figure.name}`,
        product: `${whole(figure.worst)} ms (${figure.outcome}), loop held for ${whole(figure.held)} ms`,
        baseline: `others ${figure.median.toFixed(1)} ms, at worst ${whole(figure.slowest)} ms`,
        target: `${answer === Infinity ? "" : `≤ ${answer} ms, `}others < ${limits.other} ms, held < ${limits.held} ms`,
        met: figure.worst <= answer && figure.slowest < limits.other && figure.held < limits.held,
      },
    );
  }

  /** When the last request is answered, and after the garbage collection. */
  memory(atOnce: Memory | null, settled: Memory | null): void {
    if (settled === null) return;
    const mebibytes = (bytes = 0) => bytes / 1024 ** 2;
    this.#add(
      "memory",
      { atOnce, settled },
      limited(
        `memory of the server (PSS; at once ${whole(mebibytes(atOnce?.server))} MB)`,
        mebibytes(settled.server),
        250,
        "MB",
      ),
      limited(
        `memory of PostgreSQL (PSS, ${settled.postgresProcesses} processes)`,
        mebibytes(settled.postgres),
        150,
        "MB",
      ),
    );
  }

  /** With leases and without, after the same reads and a garbage collection. */
  leasedMemory(figure: LeasedMemoryFigure | null): void {
    if (figure === null) return;
    const { artifacts, withLeases, without } = figure;
    const mebibytes = (bytes: number) => (bytes / 1024 ** 2).toFixed(1);
    const more = withLeases.server - without.server;
    this.#add("leasedMemory", figure, {
      figure: `leased memory, ${whole(artifacts)} artifacts read (PSS)`,
      product: `${mebibytes(withLeases.server)} MB (heap ${mebibytes(withLeases.heap)})`,
      baseline: `${mebibytes(without.server)} MB without leases (heap ${mebibytes(without.heap)})`,
      ratio: `${mebibytes(more)} MB more`,
      target: `≤ ${mebibytes(leasedBytes)} MB`,
      met: more <= leasedBytes,
    });
  }

  /** Parts of a content, beside an array of its lines. */
  part(figure: PartFigure): void {
    const { name, product, baseline } = figure;
    const side = ({ cpuMs, peakBytes, answerBytes }: PartCost) =>
      `${cpuMs.toFixed(1)} ms, ${(peakBytes / 1024 ** 2).toFixed(1)} MB, answer ${kilobytes(answerBytes)}`;
    const cpu = baseline.cpuMs / product.cpuMs;
    const memory = baseline.peakBytes / product.peakBytes;
    const line = {
      figure: `part, ${name}`,
      product: side(product),
      baseline: `${side(baseline)}, by lines`,
      ratio: `${cpu.toFixed(1)} times less, memory ${memory.toFixed(1)}`,
    };
    const isFast = product.cpuMs <= partLimits.cpuMs && product.peakBytes <= partLimits.bytes;
    const limits = { target: `≤ ${partLimits.cpuMs} ms, ≤ ${partLimits.bytes / 1024 ** 2} MB`, met: isFast };
    const ratios = {
      target: `≥ ${partRatios.cpu}, memory ≥ ${partRatios.memory}`,
      met: cpu >= partRatios.cpu && memory >= partRatios.memory,
    };
    const isSum = name.endsWith(allQuestions);
    // Of other texts an array of lines takes less than of short ones.
    const isWorst = name.startsWith("two-letter");
    this.#add("parts", figure, { ...line, ...(isSum ? isWorst && ratios : limits) });
  }

  starts(starts: Starts): void {
    this.#add(
      "starts",
      starts,
      limited("start to ready, new data directory", starts.newDirectory, 3500, "ms"),
      limited("start to ready, existing data directory", starts.existingDirectory, 1500, "ms"),
    );
  }

  /** Of the command line, beside a program that does nothing. */
  commandStart(figure: CommandStart): void {
    const { name, product, baseline, ratio, limit } = figure;
    this.#add("commandStarts", figure, {
      figure: name,
      product: `${product.toFixed(1)} ms`,
      baseline: `${baseline.toFixed(1)} ms empty program`,
      ratio: ratio.toFixed(2),
      ...(limit !== null && { target: `≤ ${limit}`, met: ratio <= limit }),
    });
  }

  /** Among 200,000 artifacts, beside 2,000. */
  search(figure: SearchFigure): void {
    const { name, isInsider, p95, few, many, ratio, found, pages, toInsider } = figure;
    this.#add("searches", figure, {
      figure: `search, ${name}`,
      product: `${many.toFixed(2)} ms (p95 ${p95.toFixed(2)} ms, ${found.many} found, ${pages} pages, ${toInsider.toFixed(2)} of insider)`,
      baseline: `${few.toFixed(2)} ms (${found.few} found)`,
      ratio: ratio.toFixed(2),
      ...(!isInsider && { target: `p95 ≤ ${searchMs} ms`, met: p95 <= searchMs }),
    });
  }

  /** Judged by computed time if that is known, because clock time depends on other load. */
  scale(figure: ScaleFigure): void {
    const { name, few, many, ratio, computed, pages } = figure;
    const target = isListOrSearch(name) ? scaleRatios.lists : scaleRatios.others;
    const side = (ms: number, ownMs: number | undefined, read: number | undefined) =>
      [`${ms.toFixed(2)} ms`, ownMs && `computed ${ownMs.toFixed(2)} ms`, read && `${read} pages`]
        .filter(Boolean)
        .join(", ");
    this.#add("scales", figure, {
      figure: `scale, ${name}`,
      product: side(many, computed?.many, pages?.many),
      baseline: side(few, computed?.few, pages?.few),
      ratio: `${ratio.toFixed(2)}${computed === null ? "" : `, computed ${computed.ratio.toFixed(2)}`}`,
      target: `≤ ${target}`,
      met: (computed?.ratio ?? ratio) <= target,
    });
  }

  economy(economy: Economy): void {
    this.#add(
      "economy",
      economy,
      limited("MCP tools/list", economy.tools, economyLimits.tools, "tokens"),
      limited("MCP publish 100 KB, change a line, compare", economy.work, economyLimits.work, "tokens"),
    );
  }

  /** A page's weight and calls, when it is shown, and how it responds. */
  page(page: PageFigure): void {
    const name = `page ${page.path}, ${page.viewer}`;
    const { styles, calls, deep, largestPaint, layoutShift, interaction } = pageBudgets;
    const script = scriptBudget(page.path);
    this.#add(
      "pages",
      page,
      {
        figure: `${name}, weight`,
        product: `script ${kilobytes(page.script)}, CSS ${kilobytes(page.styles)}, ${page.requests} requests`,
        target: `≤ ${kilobytes(script)}, ≤ ${kilobytes(styles)}`,
        met: page.script <= script && page.styles <= styles,
      },
      {
        figure: `${name}, of the API`,
        product: `${page.calls} calls, ${page.deep} deep`,
        target: `≤ ${calls}, ≤ ${deep}`,
        met: page.calls <= calls && page.deep <= deep,
      },
      {
        figure: `${name}, drawn (4× slower)`,
        product: `LCP ${whole(page.largestPaint)} ms, CLS ${page.layoutShift.toFixed(3)}`,
        target: `≤ ${largestPaint} ms, ≤ ${layoutShift}`,
        met: page.largestPaint <= largestPaint && page.layoutShift <= layoutShift,
      },
      {
        figure: `${name}, INP (4× slower)`,
        product: `${whole(page.slowest)} ms${page.slowestPress === "" ? "" : ` (${page.slowestPress})`}`,
        target: `≤ ${interaction} ms`,
        met: page.slowest <= interaction,
      },
    );
  }

  /** When the interactive reference shows an operation, in ms. */
  reference(ms: number): void {
    this.#add(
      "reference",
      { ms },
      {
        figure: "page /docs/reference, ready",
        product: `${whole(ms)} ms`,
        target: `≤ ${pageBudgets.reference} ms`,
        met: ms <= pageBudgets.reference,
      },
    );
  }

  interaction(figure: LargeFigure): void {
    const { name, slowness, event, drawn, computed } = figure;
    this.#add("interactions", figure, {
      figure: `much, ${name}${slowness === 1 ? "" : ` (${slowness}× slower)`}`,
      product: `event ${whole(event)} ms, answer drawn after ${whole(drawn)} ms, computed ${whole(computed)} ms`,
      target: `≤ ${largeBudget} ms each`,
      met: event <= largeBudget && drawn <= largeBudget,
    });
  }

  print(): void {
    const columns = ["figure", "product", "baseline", "ratio", "target", "met"];
    console.table(
      this.#lines.map(({ met, ...line }) => ({ ...line, met: met === undefined ? "" : met ? "yes" : "MISSED" })),
      columns,
    );
  }

  /** Writes `<time>.json` into a directory. */
  write(directory: string): void {
    const date = new Date().toISOString();
    const { length, [0]: first } = cpus();
    const machine = { platform: platform(), arch: arch(), cpus: length, model: first?.model, bun: Bun.version };
    mkdirSync(directory, { recursive: true });
    const path = join(directory, `${date.replaceAll(":", "-")}.json`);
    writeFileSync(path, `${JSON.stringify({ date, machine, ...this.#measured, lines: this.#lines }, null, 2)}\n`);
    console.error(`written to ${path}`);
  }

  /** Prints the lines at once, because the run is long. */
  #add(kind: string, measured: object, ...lines: readonly Line[]): void {
    (this.#measured[kind] ??= []).push(measured);
    this.#lines.push(...lines);
    for (const { figure, product, baseline, ratio } of lines)
      console.error(`${figure}: ${[product, baseline, ratio].filter((part) => part !== undefined).join(", ")}`);
  }
}

const whole = (number: number): string => Math.round(number).toLocaleString("en");
const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KB`;

const limited = (figure: string, value: number, limit: number, unit: string): Line => ({
  figure,
  product: `${whole(value)} ${unit}`,
  target: `< ${whole(limit)} ${unit}`,
  met: value < limit,
});
