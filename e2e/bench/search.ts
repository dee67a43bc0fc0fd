// Searching among 200,000 artifacts beside the same among 2,000: over HTTP in turns, then the pages that PostgreSQL
// reads for it, as it says itself of the very statement (auto_explain).
import { SQL } from "bun";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { startInstance, type Instance } from "../harness/instance.ts";
import { createPerson, operatorOf, createKey, fresh, type Person } from "../harness/people.ts";
import { databaseUrlOf } from "./database.ts";
import { median } from "./measure.ts";
import { seedSearch } from "./search-seed.ts";

const sizes = { few: 2000, many: 200_000 } as const;
const rounds = 5;
/** Requests of each side in a round. */
const asked = 30;
const listedAddress = "listed@example.com";

/** What is searched for; only those that few artifacts have are held to the target. */
const queries = {
  "word of 20": { q: "group7x", isRare: true },
  "word of 0.1 %": { q: "mille7x", isRare: true },
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
  /** The median of each round's many through few. */
  readonly ratio: number;
  readonly found: { readonly few: number; readonly many: number };
  /** Pages read by the statement among the many. */
  readonly pages: number;
  /** Through that of whoever belongs to every workspace, among the many. */
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
  for (const [name, { q, isRare }] of Object.entries(queries)) {
    const path = `/api/artifacts${q === null ? "" : `?q=${encodeURIComponent(q)}`}`;
    for (const caller of who) {
      const figure = await inTurns(few, many, path, caller);
      console.error(`search, ${name}, ${caller}: ${figure.many.toFixed(2)} ms, ratio ${figure.ratio.toFixed(2)}`);
      taken.push({ name: `${name}, ${caller}`, query: name, caller, isRare, path, ...figure });
    }
  }
  await few.instance.stop();
  const pages = await pagesRead(many, directories.many, taken);
  const insiders = new Map(taken.filter(({ caller }) => caller === "insider").map((one) => [one.query, one.many]));
  return taken.map(({ query, caller: _, path: _path, ...figure }, n) => ({
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
  // Until PostgreSQL has settled on a plan, and what is read is in memory.
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

/** Asks each once more of an instance whose PostgreSQL writes down how it answered; ends the instance. */
async function pagesRead(
  side: Side,
  dataDir: string,
  asks: readonly { path: string; caller: Who }[],
): Promise<number[]> {
  const database = new SQL(databaseUrlOf(dataDir), { max: 1 });
  for (const [name, value] of Object.entries({
    session_preload_libraries: "auto_explain",
    "auto_explain.log_min_duration": "0",
    "auto_explain.log_analyze": "on",
    "auto_explain.log_buffers": "on",
    "auto_explain.log_format": "json",
  }))
    await database.unsafe(`ALTER DATABASE plinth SET ${name} = '${value}'`);
  await database.close();
  await side.instance.stop();
  const again = { ...side, instance: await startInstance({ dataDir }) };
  const log = join(dataDir, "postgres.log");
  const pages: number[] = [];
  for (const { path, caller } of asks) {
    for (let n = 0; n < 8; n++) await ask(again, path, caller);
    const from = statSync(log).size;
    await ask(again, path, caller);
    pages.push(pagesIn(readFileSync(log).subarray(from).toString()));
  }
  await again.instance.stop();
  return pages;
}

/** Of the statement of a list, which alone has this in it. */
function pagesIn(log: string): number {
  const entry = log.split("LOG:").find((text) => text.includes(") AS newest"));
  const read = (kind: string) =>
    Number(new RegExp(`"Shared ${kind} Blocks": (\\d+)`).exec(entry ?? "")?.[1] ?? Number.NaN);
  return read("Hit") + read("Read");
}
