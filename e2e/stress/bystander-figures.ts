// The bystander's job and its results; percentiles, and the table of the stress test.

export const kinds = ["read", "page", "publish", "jsx"] as const;
export type Kind = (typeof kinds)[number];

export interface BystanderJob {
  readonly origin: string;
  readonly token: string;
  readonly address: string;
  readonly artifactIds: Readonly<Record<"read" | "publish" | "jsx", string>>;
  readonly pagePath: string;
  readonly everyMs: Readonly<Record<Kind, number>>;
  readonly seconds: number;
  /** Of each kind at least so many are sent, however long that takes. */
  readonly least: number;
  /** A request without an answer for so long has failed. */
  readonly timeoutMs: number;
}

export interface Series {
  /** Milliseconds of each request that was answered as it should be. */
  readonly took: readonly number[];
  readonly failures: readonly string[];
}

export type BystanderOutcome = Readonly<Record<Kind, Series>>;

/** A source that no one has published before. */
export const publishedText = (kind: "publish" | "jsx", unique: string): string =>
  kind === "publish"
    ? `# A note\n\nWritten as ${unique}, with *emphasis*, \`code\` and a list:\n\n- one\n- two\n`
    : `export default function App() {\n  return <p className="p-4 text-lg">Written as ${unique}</p>;\n}\n`;

export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
}

/**
 * A request that took longer than the interval kept the next ones from being sent. They are counted as sent on time and
 * waiting for the same answer, as HdrHistogram corrects for coordinated omission.
 */
export function percentilesOf(took: readonly number[], everyMs: number): Percentiles {
  const all: number[] = [];
  for (const ms of took) for (let waited = ms; waited === ms || waited > 0; waited -= everyMs) all.push(waited);
  all.sort((a, b) => a - b);
  const at = (share: number) => all[Math.min(all.length - 1, Math.ceil(all.length * share) - 1)] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95) };
}

export interface Measured {
  readonly condition: string;
  /** An attack's name, or `idle`. */
  readonly attack: string;
  /** Milliseconds of each request that was answered as it should be. */
  readonly took: Readonly<Record<Kind, readonly number[]>>;
  readonly latencies: Readonly<Record<Kind, Percentiles>>;
  readonly failures: readonly string[];
  readonly answers: Readonly<Record<string, number>>;
  /** Bytes, the highest in the phase: of the server's main process, and of its whole tree. */
  readonly mainBytes: number;
  readonly treeBytes: number;
}

/** The same for what several phases took together. */
export function together(
  phases: readonly Pick<Measured, "took">[],
  everyMs: Readonly<Record<Kind, number>>,
): Measured["latencies"] {
  const of = (kind: Kind) =>
    percentilesOf(
      phases.flatMap(({ took }) => took[kind]),
      everyMs[kind],
    );
  return { read: of("read"), page: of("page"), publish: of("publish"), jsx: of("jsx") };
}

/** A phase beside what the same took without an attack. */
export type Compared = Measured & { readonly idle: Measured["latencies"] };

const ms = (value: number): string => (Number.isNaN(value) ? "-" : value < 100 ? value.toFixed(1) : value.toFixed(0));

/** For each phase p50/p95 and the ratio of its p95 to the idle one, failures and memory. */
export const cellsOf = (row: Compared): Readonly<Record<string, string | number>> => ({
  condition: row.condition,
  attack: row.attack,
  ...Object.fromEntries(
    kinds.map((kind) => {
      const { p50, p95 } = row.latencies[kind];
      return [`${kind} p50/p95 ms (x idle)`, `${ms(p50)}/${ms(p95)} (${(p95 / row.idle[kind].p95).toFixed(1)})`];
    }),
  ),
  failed: row.failures.length,
  "MB main/tree": `${Math.round(row.mainBytes / 1e6)}/${Math.round(row.treeBytes / 1e6)}`,
  answers: Object.entries(row.answers)
    .map(([status, count]) => `${status}:${count}`)
    .join(" "),
});
