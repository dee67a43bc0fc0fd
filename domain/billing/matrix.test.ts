// Plans × subscription states × operator grants × every operation that requires an entitlement, and those that must
// not, in each place, compared with the reference model. Each differing cell is named.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { resolve } from "node:path";

import { AppError } from "@plinth/contract/errors";
import { operations, registry, type OperationName } from "@plinth/contract/registry";
import { uuidOf } from "@plinth/db/columns";

import { sampleBySeed, testSeed } from "@plinth/support/test-seed";

import { undone } from "../access/test/matrix/undone.ts";
import type { Instance } from "../context.ts";
import { pruneVersions } from "../retention/prune-versions.ts";
import { removeEvents } from "../retention/remove-events.ts";
import { daysAgo, violations } from "../retention/test/old-artifacts.ts";
import { noDeadline } from "../retention/deadline.ts";
import { createSetup, type Setup } from "../test/context.ts";
import { entitledTo, type Entitled, type Situation } from "./test/matrix/expected.ts";
import { ages, createPlaces, type Place } from "./test/matrix/entitled-workspaces.ts";
import { asking, rows, type Row } from "./test/matrix/rows.ts";
import { enter, named, situations } from "./test/matrix/situations.ts";

/** How long anything may take before it counts as hung, in ms. */
const hung = 300_000;

let setup: Setup;
let places: Place[];
let cells = 0;
beforeAll(async () => {
  setup = await createSetup();
  places = await createPlaces(setup);
}, hung);
afterAll(async () => {
  console.log(`${cells} cells of plans: ${rows.length} rows in ${places.length} places`);
  await setup.close();
}, hung);

async function outcomeOf(inside: Instance, { name, input, as, before, says }: Row, place: Place): Promise<unknown> {
  await before?.({ setup, inside }, place);
  try {
    const { value } = await setup.answerOf(inside, name, input(place), { as: as?.(place) ?? place.as });
    return says?.(value, place) ?? "done";
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

/** Ages in days of events: each side of what each plan keeps. */
const eventAges = [364.9, 365.1, 89.9, 90.1, 6.9, 7.1];

/** The versions (by number) and events (by age) that remain after retention. */
async function keptIn(inside: Instance, { workspaceId, old }: Place): Promise<unknown> {
  await inside.db.run(
    `INSERT INTO audit_event (event_id, occurred_at, kind, actor, surface, workspace_id, target_type, target_id, request_id)
     SELECT ('01800000-0000-7000-8000-' || lpad(to_hex(e.n), 12, '0'))::uuid, e.at, 'workspace.updated', '{}', 'api', $1,
       'workspace', e.age::text, 'aged'
     FROM json_to_recordset($2::text::json) AS e(n int, at timestamptz, age float8)`,
    [uuidOf("wsp", workspaceId), JSON.stringify(eventAges.map((age, n) => ({ n, age, at: daysAgo(age) })))],
  );
  await pruneVersions(inside.db, new Date(), "matrix", noDeadline);
  await removeEvents(inside.db, new Date(), noDeadline);
  const versions = await inside.db.run<{ n: number }>(
    "SELECT version_number AS n FROM version WHERE artifact_id = $1 AND pruned_at IS NULL ORDER BY 1",
    [uuidOf("art", old)],
  );
  const events = await inside.db.run<{ age: string }>(
    "SELECT target_id AS age FROM audit_event WHERE request_id = 'aged' AND workspace_id = $1",
    [uuidOf("wsp", workspaceId)],
  );
  return {
    versions: versions.map(({ n }) => n),
    events: events.map(({ age }) => Number(age)).toSorted((a, b) => a - b),
  };
}

/** The last one is the head, and each other was superseded when the next one was made. */
const keptBy = ({ versionRetentionDays, auditRetentionDays }: Entitled) => ({
  versions: ages.flatMap((_, index) => ((ages[index + 1] ?? 0) < versionRetentionDays ? [index + 1] : [])),
  events: eventAges.filter((age) => age < auditRetentionDays).toSorted((a, b) => a - b),
});

/** A team buys the plan of teams alone. */
const sold = (place: Place) =>
  place.kind === "a team with a plan of its own" ? ["team" as const] : (["pro", "team"] as const);

/** Every row in every situation: `bun run stress billing`, which sets it. */
const isWhole = process.env["BILLING_MATRIX"] === "all";

/**
 * The rows that are played in each situation. Of a third of the groups of situations that grant the same and give the same, one
 * has all of them; each other has a sixteenth. The seed chooses.
 */
function rowsBySituation(all: readonly Situation[]): Map<Situation, readonly Row[]> {
  const groups = Map.groupBy(all, (situation) =>
    JSON.stringify([situation.granted, situation.bought !== null, entitledTo(situation)]),
  );
  const played = new Set(sampleBySeed([...groups.keys()], Math.ceil(groups.size / 3)));
  const inFull = new Set(
    [...groups].flatMap(([key, alike]) => (played.has(key) ? sampleBySeed(alike.map(named), 1) : [])),
  );
  const indexes = rows.map((_, index) => String(index));
  const someOf = (situation: Situation) => {
    const chosen = new Set(
      sampleBySeed(indexes, Math.ceil(rows.length / 16), (testSeed ^ Bun.hash.xxHash32(named(situation))) >>> 0),
    );
    return rows.filter((_, index) => chosen.has(String(index)));
  };
  return new Map(all.map((each) => [each, isWhole || inFull.has(named(each)) ? rows : someOf(each)]));
}

const kinds: readonly Place["kind"][] = [
  "a personal workspace",
  "a team on its holder's plan",
  "a team with a plan of its own",
];

test.each(kinds)(
  "%s has what its plan gives in every situation, and no more",
  async (kind) => {
    const place = places.find((one) => one.kind === kind);
    if (place === undefined) throw new Error(`there is no ${kind}`);
    const mismatches: string[] = [];
    const compare = (what: string, seen: unknown, expected: unknown) => {
      cells++;
      if (!Bun.deepEquals(seen, expected))
        mismatches.push(`${what}: ${JSON.stringify(seen)}, not ${JSON.stringify(expected)}`);
    };
    for (const [situation, played] of rowsBySituation(situations(sold(place)))) {
      const has = entitledTo(situation);
      await enter(setup, place.holderId, situation);
      for (const row of played) {
        const work = (inside: Instance) => outcomeOf(inside, row, place);
        const isRead = registry[row.name].effect === "read" && row.before === undefined;
        const seen = await (isRead ? work(setup.instance) : undone(setup.instance, row.name, work));
        compare(`${named(situation)} × ${row.name} ${row.does}`, seen, row.expects(has, place));
      }
      const kept = await undone(setup.instance, "operator.runJob", (inside) => keptIn(inside, place));
      compare(`${named(situation)} × what is kept`, kept, keptBy(has));
    }
    expect(mismatches).toEqual([]);
    expect(await violations(setup)).toEqual([]);
  },
  hung,
);

test("every operation that may be refused for a plan or a seat is tried, and is refused somewhere", () => {
  const all = kinds.flatMap((kind) => places.filter((place) => place.kind === kind));
  const refusedIn = (row: Row) =>
    all.some((place) =>
      situations(sold(place)).some((situation) =>
        ["plan_required", "seat_limit_reached"].includes(String(row.expects(entitledTo(situation), place))),
      ),
    );
  const refused = new Set(rows.filter(refusedIn).map(({ name }) => name));
  const declared = operations.filter(({ errors }) =>
    (errors as readonly string[]).some((code) => code === "plan_required" || code === "seat_limit_reached"),
  );
  const names = declared.map(({ name }): OperationName => name);
  expect(names.toSorted()).toEqual([...refused].toSorted());
});

test("every operation that requires an entitlement or a seat is covered", async () => {
  const root = resolve(import.meta.dirname, "../..");
  const found: string[] = [];
  for await (const file of new Bun.Glob("{domain,api,worker,server}/**/*.ts").scan(root)) {
    if (file.includes("node_modules/") || file.includes("/test/") || file.endsWith(".test.ts")) continue;
    const source = await Bun.file(resolve(root, file)).text();
    if (/^(?!export )[^/*]*\brequire(?:Entitlement|Seat)\(/m.test(source.replaceAll(/^export .*$/gm, "")))
      found.push(file);
  }
  expect(found.toSorted()).toEqual(Object.keys(asking).toSorted());
  const tried = new Set(rows.map(({ name }) => name));
  expect(
    Object.values(asking)
      .flat()
      .filter((name) => !tried.has(name)),
  ).toEqual([]);
});
