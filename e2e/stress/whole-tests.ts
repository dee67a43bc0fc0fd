// Tests of the domain and the worker at full size, in a separate process: what they are about, such as the time, the
// renderers and the rules, can only be reached inside it.
import { hung, repository } from "../harness/process.ts";
import { assert, type StressTest } from "./stress-test.ts";

interface Whole extends Pick<StressTest, "claim" | "count" | "shortCount"> {
  readonly files: readonly string[];
  /** By which its tests take the size and the seed. */
  readonly env: (count: number, seed: number) => Readonly<Record<string, string>>;
  /** For a test, in ms. */
  readonly limit: (count: number) => number;
  /** The outcome's name of the count. */
  readonly counted: string;
}

const whole = ({ files, env, limit, counted, ...stressTest }: Whole): StressTest => ({
  ...stressTest,
  async run({ count, seed }) {
    const child = Bun.spawn([process.execPath, "test", `--timeout=${limit(count)}`, ...files], {
      cwd: repository,
      env: { ...process.env, ...env(count, seed) },
      stdout: "inherit",
      stderr: "inherit",
    });
    const status = await child.exited;
    assert(status === 0, () => `it is not so; what is otherwise is said above (status ${status})`);
    return { [counted]: count };
  },
});

export const lists = whole({
  claim: "lists, search and counts show what `decide` lets the caller read, and reading each by itself agrees",
  count: 10_000,
  shortCount: 80,
  files: ["domain/access/lists-agree.test.ts"],
  env: (count, seed) => ({ LIST_WORLDS: String(count), LIST_SEED: String(seed) }),
  limit: (count) => hung * Math.ceil(count / 80),
  counted: "setups",
});

/** Among documents of the installed packages. */
export const search = whole({
  claim: "of 200 queries nine in ten have the right document first, with a typo 85 in 100",
  count: 5000,
  shortCount: 500,
  files: ["domain/search/relevance.test.ts"],
  env: (count) => ({ SEARCH_DOCUMENTS: String(count) }),
  limit: () => 10 * hung,
  counted: "documents",
});

export const billing = whole({
  claim: "whatever events of Stripe's come, in whatever order, twice or never, each workspace has what Stripe has",
  count: 1000,
  shortCount: 12,
  files: ["domain/billing/histories.test.ts", "domain/billing/matrix.test.ts"],
  env: (count, seed) => ({ BILLING_HISTORIES: String(count), BILLING_SEED: String(seed), BILLING_MATRIX: "all" }),
  limit: (count) => hung * count,
  counted: "histories",
});

/** Each at full size, with the production limits. */
export const bombs = whole({
  claim: "every document that takes all it can get ends within its limit, and harms no other",
  count: 55,
  shortCount: 8,
  files: ["domain/render/markdown/bombs.test.ts", "worker/capture/bombs.test.ts"],
  env: (_, seed) => ({ BOMBS: "all", TEST_SEED: String(seed) }),
  limit: () => hung,
  counted: "documents",
});
