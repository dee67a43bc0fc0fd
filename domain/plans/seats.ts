// Seats: the people of all workspaces of one plan, and pending invitations to other addresses. Counted by address, so
// that one person takes one seat.
import { AppError } from "@plinth/contract/errors";
import { entitlementsOf, planIds, type PlanId } from "@plinth/contract/plans";
import type { Workspace } from "@plinth/contract/schemas/account";
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

import type { LockedWorkspace } from "./lock.ts";

type Seats = Workspace["seats"];

interface Placed {
  readonly workspaceId: string;
  readonly planHolderId: string | null;
}

/** Whose plan a workspace's seats are of. */
const holderOf = ({ workspaceId, planHolderId }: Placed): string => planHolderId ?? workspaceId;

/** The workspaces of the holder `h`. Two index lookups: an OR between them would scan all workspaces. */
const places = `(
    SELECT h.workspace_id
    UNION ALL SELECT w.workspace_id FROM workspace w WHERE w.plan_holder_id = h.workspace_id
  ) place`;

/** The addresses that have a seat with the holder `h`. */
const taken = `
  SELECT lower(u.email) AS address, true AS person
  FROM ${places} JOIN membership m USING (workspace_id) JOIN "user" u USING (user_id)
  UNION ALL
  SELECT i.email, false
  FROM ${places} JOIN invitation i USING (workspace_id)
  WHERE i.accepted_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > now()`;

const countStatement = `
SELECT h.workspace_id AS holder, h.plan, h.seats_bought, s.used
FROM workspace h
CROSS JOIN LATERAL (SELECT count(DISTINCT address)::int AS used FROM (${taken}) t) s
WHERE h.workspace_id = ANY(ARRAY(SELECT value::uuid FROM json_array_elements_text($1::text::json)))`;

/** The seats of workspaces, for each by its own identifier. */
export async function seatsOf(db: Database, workspaces: readonly Placed[]): Promise<(of: Placed) => Seats> {
  const holders = [...new Set(workspaces.map((row) => uuidOf("wsp", holderOf(row))))];
  const rows = await db.run<{ holder: string; plan: PlanId; seats_bought: number | null; used: number }>(
    countStatement,
    [JSON.stringify(holders)],
  );
  const byHolder = new Map(
    rows.map(({ holder, plan, seats_bought, used }) => [
      holder,
      { used, limit: entitlementsOf(plan, seats_bought).seats },
    ]),
  );
  return (of) => {
    const seats = byHolder.get(uuidOf("wsp", holderOf(of)));
    if (seats === undefined) throw new Error(`${of.workspaceId} has no plan holder`);
    return seats;
  };
}

/** How many seats there are with the holder in the row `holder`, in SQL: as `entitlementsOf` says. */
export const seatLimit = (holder: string): string =>
  `CASE ${holder}.plan ${planIds
    .map((plan) => `WHEN '${plan}' THEN ${limitOf(plan, `${holder}.seats_bought`)}`)
    .join(" ")} END`;

const limitOf = (plan: PlanId, bought: string): string =>
  plan === "team" ? `greatest(${entitlementsOf(plan).seats}, ${bought})` : String(entitlementsOf(plan).seats);

const askStatement = `
SELECT count(*)::int AS used, count(*) FILTER (WHERE person)::int AS people,
  coalesce(bool_or(address = $2), false) AS has, coalesce(bool_or(address = $2 AND person), false) AS is_person
FROM (
  SELECT t.address, bool_or(t.person) AS person
  FROM (SELECT $1::uuid AS workspace_id) h CROSS JOIN LATERAL (${taken}) t
  GROUP BY t.address
) s`;

/**
 * Finds a seat for an address: for one `invited`, beside people and invitations; for one `joining`, beside people
 * alone, whose invitation had its seat already. Expects the holder to be locked (`lockSeats`).
 * @throws seat_limit_reached
 */
export async function requireSeat(
  db: Database,
  holder: LockedWorkspace,
  address: string,
  as: "invited" | "joining",
): Promise<void> {
  const [row] = await db.run<{ used: number; people: number; has: boolean; is_person: boolean }>(askStatement, [
    uuidOf("wsp", holder.workspaceId),
    address,
  ]);
  if (row === undefined) throw new Error("the seats were not counted");
  const limit = entitlementsOf(holder.plan, holder.seatsBought).seats;
  const isFree = as === "invited" ? row.has || row.used < limit : row.is_person || row.people < limit;
  if (isFree) return;
  throw new AppError("seat_limit_reached", `All ${limit} seats of the plan are taken`, {
    seats: { used: row.used, limit },
    hint: "Remove a member or revoke an invitation first, or choose a plan with more seats",
  });
}
