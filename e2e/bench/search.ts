// Searching among 200,000 artifacts compared with 2,000: alternating over HTTP, then the pages that PostgreSQL reads.
// domain/search/cost.test.ts limits what EXPLAIN says of the statement.
import { SQL } from "bun";

import { startInstance, type Instance } from "../harness/instance.ts";
import { createPerson, operatorOf, createKey, fresh, type Person } from "../harness/people.ts";
import { databaseUrlOf } from "./database.ts";
import { median } from "./measure.ts";
import { seedSearch } from "./search-seed.ts";

const sizes = { few: 2000, many: 200_000 } as const;
const rounds = 5;
/** Requests of each side per round. */
const asked = 20;
/** Requests of each kind before the measurement. */
const warming = 5;
/** It has no word, so the search does no work. */
const nothingAsked = "/api/artifacts?q=!";
const listedAddress = "listed@example.com";

/** The queries; only those that match few artifacts have a target. */
const queries = {
  "word of 20": { q: "group7x", isRare: true },
  // One in a thousand of the larger set and the same number in the smaller one, so that both pages have the same size.
  "word of 200": { q: "flock7x", isRare: true },
  // Two in the smaller set, of which most callers see none: this compares a page of twenty with an empty one.
  "word of 0.1 % of each": { q: "mille7x", isRare: false },
  "beginning of a word of 20": { q: "part7z", isRare: true },
  "word of 20 and word of all": { q: "everywhere group7x", isRare: true },
  "part of 20 titles": { q: "title7q", isRare: true },
  "word of none": { q: "nosuchword", isRare: true },
  "word of 30 %": { q: "frequent", isRare: false },
  "word of all that is hidden": { q: "hidden", isRare: false },
  "beginning of everything": { q: "m", isRare: false },
  "no word: the list": { q: null, isRare: true },
} as const;

const who = ["anonymous", "member", "listed", "insider"] as const;
type Who = (typeof who)[number];

export interface SearchFigure {
  readonly name: string;
  readonly isRare: boolean;
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

export async function measureSearch(place: (name: string) => string): Promise<SearchFigure[]> {
  const directories = { few: place("search-few"), many: place("search-many") };
  const few = await seededSide(directories.few, sizes.few);
  const many = await seededSide(directories.many, sizes.many);
  const taken = [];
  // Both servers compile hot code, which the first query must not pay for.
  for (const { q } of Object.values(queries))
    for (const caller of who)
      for (const side of [few, many]) for (let n = 0; n < warming; n++) await ask(side, pathOf(q), caller);
  for (const [name, { q, isRare }] of Object.entries(queries)) {
    const path = pathOf(q);
    for (const caller of who) {
      const figure = await inTurns(few, many, path, caller);
      console.error(`search, ${name}, ${caller}: ${figure.many.toFixed(2)} ms, ratio ${figure.ratio.toFixed(2)}`);
      taken.push({ name: `${name}, ${caller}`, query: name, caller, isRare, path, ...figure });
    }
  }
  await few.instance.stop();
  const pages = await pagesRead(many, directories.many, taken);
  await many.instance.stop();
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

async function inTurns(few: Side, many: Side, path: string, caller: Who) {
  const found = { few: 0, many: 0 };
  // Until PostgreSQL uses its final plans and has the pages in memory.
  for (let n = 0; n < 8; n++) {
    found.few = (await ask(few, path, caller)).found;
    found.many = (await ask(many, path, caller)).found;
  }
  const taken: { few: number; many: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const ms: { few: number[]; many: number[] } = { few: [], many: [] };
    for (let n = 0; n < asked; n++) {
      const order = n % 2 === 0 ? (["few", "many"] as const) : (["many", "few"] as const);
      for (const side of order) ms[side].push((await ask(side === "few" ? few : many, path, caller)).ms);
    }
    taken.push({ few: median(ms.few), many: median(ms.many) });
  }
  return {
    found,
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
