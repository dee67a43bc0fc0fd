// Searching among 200,000 artifacts, or as many as are asked for, compared with 2,000: alternating over HTTP, then the pages that PostgreSQL reads.
// domain/search/cost.test.ts limits what EXPLAIN says of the statement.
import { SQL } from "bun";

import { startInstance, type Instance } from "../harness/instance.ts";
import { createPerson, operatorOf, createKey, fresh, type Person } from "../harness/people.ts";
import { databaseUrlOf } from "../harness/embedded-database.ts";
import { median } from "./measure.ts";
import { seedSearch } from "./search-seed.ts";

const few = 2000;
export const usualArtifacts = 200_000;
const rounds = 5;
/** Requests of each side per round. */
const asked = 20;
/** Requests of each kind before the measurement. */
const warming = 5;
/** It has no word, so the search does no work. */
const nothingAsked = "/api/artifacts?q=!";
const listedAddress = "listed@example.com";

/** The queries, of rare and of common words. */
const queries = {
  "word of 20": { q: "group7x" },
  // One in a thousand of the larger set and the same number in the smaller one, so that both pages have the same size.
  "word of 200": { q: "flock7x" },
  // Two in the smaller set, of which most callers see none: this compares a page of twenty with an empty one.
  "word of 0.1 % of each": { q: "mille7x" },
  "beginning of a word of 20": { q: "part7z" },
  "word of 20 and word of all": { q: "everywhere group7x" },
  "part of 20 titles": { q: "title7q" },
  "word of none": { q: "nosuchword" },
  "two words of 30 %": { q: "frequent everywhere" },
  "phrase of two words": { q: '"frequent everywhere"' },
  "word with a typo": { q: "mytitel7q" },
  "word of 30 %": { q: "frequent" },
  "word of all that is hidden": { q: "hidden" },
  "beginning of a word of 30 %": { q: "freq" },
  "word of every title": { q: "seeded" },
  "no word: the list": { q: null },
} as const;

const who = ["anonymous", "member", "listed", "insider"] as const;
type Who = (typeof who)[number];

export interface SearchFigure {
  readonly name: string;
  /** Whether the caller belongs to every workspace, which no real caller does. */
  readonly isInsider: boolean;
  /** Milliseconds that 95 of 100 requests take at most in the larger set. */
  readonly p95: number;
  /** Milliseconds, the median of the rounds. */
  readonly few: number;
  readonly many: number;
  /** The median of many divided by few over the rounds. */
  readonly ratio: number;
  readonly found: { readonly few: number; readonly many: number };
  /** Pages read in the larger set. */
  readonly pages: number;
  /** Divided by that of the caller who belongs to every workspace, in the larger set. */
  readonly toInsider: number;
}

interface Side {
  readonly instance: Instance;
  readonly callers: Readonly<Record<Who, string | null>>;
}

export async function measureSearch(place: (name: string) => string, artifacts: number): Promise<SearchFigure[]> {
  const directories = { few: place("search-few"), many: place("search-many") };
  const small = await seededSide(directories.few, few);
  const large = await seededSide(directories.many, artifacts);
  const taken = [];
  // Both servers compile hot code, which the first query must not pay for.
  for (const { q } of Object.values(queries))
    for (const caller of who)
      for (const side of [small, large]) for (let n = 0; n < warming; n++) await ask(side, pathOf(q), caller);
  for (const [name, { q }] of Object.entries(queries)) {
    const path = pathOf(q);
    for (const caller of who) {
      const figure = await inTurns(small, large, path, caller);
      console.error(
        `search, ${name}, ${caller}: ${figure.many.toFixed(2)} ms, p95 ${figure.p95.toFixed(2)} ms, ratio ${figure.ratio.toFixed(2)}`,
      );
      const isInsider = caller === "insider";
      taken.push({ name: `${name}, ${caller}`, query: name, caller, isInsider, path, ...figure });
    }
  }
  await small.instance.stop();
  const pages = await pagesRead(large, directories.many, taken);
  await large.instance.stop();
  const insiders = new Map(taken.filter(({ caller }) => caller === "insider").map((one) => [one.query, one.many]));
  return taken.map(({ query, ...figure }, n) => ({
    ...figure,
    pages: pages[n] ?? Number.NaN,
    toInsider: figure.many / (insiders.get(query) ?? Number.NaN),
  }));
}

async function seededSide(dataDir: string, count: number): Promise<Side> {
  const instance = await startInstance({ dataDir });
  const member = await createPerson(instance);
  const insider = await createPerson(instance);
  const listed = await operatorOf(instance).call("operator.createUser", {
    email: listedAddress,
    username: fresh("listed"),
  });
  const database = new SQL(databaseUrlOf(dataDir), { max: 1 });
  await seedSearch(database, count, { insider, member, listedAddress });
  await database.close();
  const token = (person: Person) => person.token;
  const callers = {
    anonymous: null,
    member: token(member),
    listed: await createKey(instance, listed.userId),
    insider: token(insider),
  };
  return { instance, callers };
}

const pathOf = (q: string | null): string => `/api/artifacts${q === null ? "" : `?q=${encodeURIComponent(q)}`}`;

async function ask({ instance, callers }: Side, path: string, caller: Who): Promise<{ ms: number; found: number }> {
  const token = callers[caller];
  const started = performance.now();
  const answer = await fetch(instance.origin + path, {
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
  });
  const { artifacts } = (await answer.json()) as { artifacts: unknown[] };
  return { ms: performance.now() - started, found: artifacts.length };
}

async function inTurns(small: Side, large: Side, path: string, caller: Who) {
  const found = { few: 0, many: 0 };
  // Until PostgreSQL uses its final plans and has the pages in memory.
  for (let n = 0; n < 8; n++) {
    found.few = (await ask(small, path, caller)).found;
    found.many = (await ask(large, path, caller)).found;
  }
  const taken: { few: number; many: number }[] = [];
  const all: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const ms: { few: number[]; many: number[] } = { few: [], many: [] };
    for (let n = 0; n < asked; n++) {
      const order = n % 2 === 0 ? (["few", "many"] as const) : (["many", "few"] as const);
      for (const side of order) ms[side].push((await ask(side === "few" ? small : large, path, caller)).ms);
    }
    taken.push({ few: median(ms.few), many: median(ms.many) });
    all.push(...ms.many);
  }
  return {
    found,
    p95: all.toSorted((a, b) => a - b)[Math.floor(all.length * 0.95)] ?? Number.NaN,
    few: median(taken.map((round) => round.few)),
    many: median(taken.map((round) => round.many)),
    ratio: median(taken.map((round) => round.many / round.few)),
  };
}

/** Pages of the database that each query reads beyond authentication, counted by PostgreSQL. */
async function pagesRead(
  side: Side,
  dataDir: string,
  asks: readonly { path: string; caller: Who }[],
): Promise<number[]> {
  const database = new SQL(databaseUrlOf(dataDir), { max: 1 });
  const counted = async () => {
    const [row] = (await database.unsafe(
      "SELECT (blks_hit + blks_read)::int AS pages FROM pg_stat_database WHERE datname = current_database()",
    )) as { pages: number }[];
    return row?.pages ?? Number.NaN;
  };
  const each = async (path: string, caller: Who) => {
    const before = await counted();
    for (let n = 0; n < asked; n++) await ask(side, path, caller);
    // A connection reports its reads with the first statement after a second.
    await Bun.sleep(1100);
    await ask(side, path, caller);
    return ((await counted()) - before) / (asked + 1);
  };
  const pages: number[] = [];
  for (const { path, caller } of asks) {
    const read = await each(path, caller);
    pages.push(Math.round(read - (await each(nothingAsked, caller))));
  }
  await database.close();
  return pages;
}
