// The events of every operation that writes, by its case: their kinds, in the transaction that wrote the row, and none where the
// call is refused. audit.test.ts has what each event says.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { operations, type OperationName } from "@plinth/contract/registry";
import { caseOf, kindsIn, validCaller, validInput } from "@plinth/contract/test/cases";
import { decodeId } from "@plinth/contract/ids";

import { createSetup, type Caller, type Setup } from "../test/context.ts";
import { createInProcessFixtures, type InProcessFixtures } from "../test/fixtures.ts";
import { closeThreads } from "../threads/pool.ts";
import { tokenHash } from "../tokens/token.ts";

let setup: Setup;
let fixtures: InProcessFixtures;
beforeAll(async () => {
  setup = await createSetup();
  fixtures = await createInProcessFixtures(setup);
});
afterAll(async () => {
  await closeThreads();
  await setup.close();
});

interface Event {
  readonly kind: string;
  readonly actor: { readonly label: string };
  readonly surface: string;
  readonly target_type: string;
  readonly target_id: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly xmin: string;
}

/** The table and key of a target, and its prefix. */
const rowOf: Readonly<Record<string, readonly [table: string, key: string, prefix: "art" | "prj" | "wsp"]>> = {
  artifact: ["artifact", "artifact_id", "art"],
  project: ["project", "project_id", "prj"],
  workspace: ["workspace", "workspace_id", "wsp"],
};

/** What an instance without Stripe and without a failed job answers. */
const unavailable: { readonly [Name in OperationName]?: string } = {
  "billing.refresh": "billing_unavailable",
  "billing.checkout": "billing_unavailable",
  "billing.portal": "billing_unavailable",
  "operator.retryJob": "not_found",
};

let requests = 0;

/** The events of one call, by whom it is made. */
async function eventsOf(
  name: OperationName,
  input: object,
  as: Caller,
  headers: Readonly<Record<string, string>> = {},
) {
  const requestId = `audited-${++requests}`;
  const token = headers["x-share-token"];
  const share = token === undefined ? {} : { share: { hash: tokenHash(token) } };
  const refused = await setup.answer(name, input, { as, requestId, surface: "cli", ...share }).then(
    () => null,
    (error: { readonly code: string }) => error.code,
  );
  const rows = await setup.db.run<Event>(
    `SELECT kind, actor, surface, target_type, target_id, before, after, xmin::text
     FROM audit_event WHERE request_id = $1 ORDER BY event_id`,
    [requestId],
  );
  return { refused, events: [...rows] };
}

const writes = operations.filter(({ effect }) => effect !== "read").map(({ name }) => name);

describe.each(writes)("%s", (name) => {
  const { events: recorded, refused } = caseOf(name);

  test("records its events in the transaction of its rows", async () => {
    if (recorded === null) throw new Error("a case of an operation that writes says what it records");
    const input = await validInput(name, fixtures);
    const { token } = await validCaller(name, fixtures);
    const done = await eventsOf(name, input, fixtures.asOf(token));
    expect(done.refused).toBe(unavailable[name] ?? null);
    expect(done.events.map(({ kind }) => kind)).toEqual([...kindsIn(recorded)]);
    expect(new Set(done.events.map(({ xmin }) => xmin)).size).toBeLessThanOrEqual(1);
    for (const { actor, surface, before, after, ...event } of done.events) {
      expect([actor.label === "", surface, before === null && after === null]).toEqual([false, "cli", false]);
      const [table, key, prefix] = rowOf[event.target_type] ?? [];
      if (table === undefined || key === undefined || prefix === undefined) continue;
      const rows = await setup.db.run<{ xmin: string }>(`SELECT xmin::text FROM ${table} WHERE ${key} = $1`, [
        decodeId(prefix, event.target_id) ?? "",
      ]);
      // A deleted project has no row, and a version's name, package or former address is in another table.
      if (rows[0] !== undefined && !inOtherTable.has(name)) expect(rows[0].xmin).toBe(event.xmin);
    }
    expect(JSON.stringify(done.events)).not.toMatch(/pl[kaso]_\w{20}/);
  });

  const codes = Object.entries(refused).filter(([, refusal]) => refusal !== undefined);
  if (codes.length > 0)
    test("records nothing where it is refused", async () => {
      for (const [code, refusal] of codes) {
        const right = await validCaller(name, fixtures);
        const attempt = await refusal?.(fixtures, right);
        // A file is refused while it is read, by the surface.
        if (attempt === undefined || attempt.file !== undefined) continue;
        const input = { ...(await validInput(name, fixtures)), ...attempt.changes };
        const tried = await eventsOf(name, input, fixtures.asOf(attempt.by.token), attempt.headers);
        expect(tried).toEqual({ refused: code, events: [] });
      }
    });
});

const inOtherTable: ReadonlySet<OperationName> = new Set<OperationName>([
  "artifact.releaseFormerAddress",
  "project.releaseFormerAddress",
  "version.patch",
  "version.retryPackages",
]);
