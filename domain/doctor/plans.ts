// Invariants of plans, seats and payments (docs/reference/security.md §4; docs/decisions/billing.md, "Downgrades take
// nothing away" and "Retention notice").
import { planIds } from "@plinth/contract/plans";

import { surelyAuditedDays } from "../plans/days.ts";
import { seatLimit } from "../plans/seats.ts";

/** From the least to the greatest. */
const rankOf = (plan: string): string => `array_position(ARRAY['${planIds.join("', '")}'], ${plan})`;

/**
 * Since when each address has a seat with the holder `h`: an invitation's seat passes to the user who accepts it, and a
 * replaced invitation's seat to the new one.
 */
const seatsTaken = `
  SELECT min(t.since) AS since
  FROM (
    SELECT lower(u.email) AS address, m.joined_at AS since, true AS is_taken
    FROM workspace w JOIN membership m USING (workspace_id) JOIN "user" u USING (user_id)
    WHERE w.workspace_id = h.workspace_id OR w.plan_holder_id = h.workspace_id
    UNION ALL
    SELECT i.email, i.created_at, i.accepted_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > now()
    FROM workspace w JOIN invitation i USING (workspace_id)
    WHERE w.workspace_id = h.workspace_id OR w.plan_holder_id = h.workspace_id
  ) t
  GROUP BY t.address
  HAVING bool_or(t.is_taken)`;

/** Times are of when a transaction began: one that waited for another may be of before it. */
const waitedAtMost = "1 hour";

/** What lets more seats be taken than there are: the plan came down, or the operator went beyond it. */
const wentBeyond = `
  SELECT 1 FROM audit_event e
  WHERE e.occurred_at >= s.newest - interval '${waitedAtMost}' AND (
    (e.workspace_id = h.workspace_id AND e.kind = 'plan.changed'
      AND (e.after ->> 'seats')::int < (e.before ->> 'seats')::int)
    OR (e.kind = 'member.added' AND e.actor ->> 'type' = 'operator' AND e.workspace_id IN (
      SELECT w.workspace_id FROM workspace w
      WHERE w.workspace_id = h.workspace_id OR w.plan_holder_id = h.workspace_id)))`;

export const planInvariants: Readonly<Record<string, string>> = {
  "the plan in force is the greater of what is granted and what is bought": `
    SELECT format('%s has %s, granted %s, bought %s, its holder''s %s', w.slug, w.plan, w.plan_granted, w.plan_bought, h.plan)
      AS broken
    FROM workspace w
    LEFT JOIN workspace h ON h.workspace_id = w.plan_holder_id
    WHERE ${rankOf("w.plan")} IS DISTINCT FROM
      greatest(${rankOf("coalesce(w.plan_granted, h.plan, 'free')")}, ${rankOf("w.plan_bought")})`,
  "seats are bought with a team's plan alone, and a workspace with a plan has its own subscription": `
    SELECT w.slug AS broken
    FROM workspace w
    WHERE (w.seats_bought IS NOT NULL AND w.plan_bought IS DISTINCT FROM 'team')
      OR (w.plan_bought IS NOT NULL AND w.plan_holder_id IS NOT NULL)`,
  "a notice says which plan it is of, which keeps more, and until when": `
    SELECT format('%s has %s, kept by %s until %s', w.slug, w.plan, w.plan_kept, w.plan_kept_until) AS broken
    FROM workspace w
    WHERE (w.plan_kept IS NULL) <> (w.plan_kept_until IS NULL)
      OR ${rankOf("w.plan_kept")} <= ${rankOf("w.plan")}`,
  // The explaining events are kept for this many days.
  "no seat is taken beyond those of the plan, unless the plan came down or the operator gave it": `
    SELECT format('%s has %s of %s', h.slug, s.used, ${seatLimit("h")}) AS broken
    FROM workspace h
    CROSS JOIN LATERAL (SELECT count(*) AS used, max(t.since) AS newest FROM (${seatsTaken}) t) s
    WHERE h.plan_holder_id IS NULL AND s.used > ${seatLimit("h")}
      AND s.newest > now() - make_interval(days => ${surelyAuditedDays}) AND NOT EXISTS (${wentBeyond})`,
  // Subscriptions end after the hourly reconciliation with Stripe.
  "no account at Stripe outlives its workspace by a day": `
    SELECT format('%s, asked about at %s', b.workspace_id, b.asked_at) AS broken
    FROM billing_account b
    WHERE b.asked_at < now() - interval '1 day'
      AND NOT EXISTS (SELECT 1 FROM workspace w WHERE w.workspace_id = b.workspace_id)`,
};
