// Share links that are revoked and counted in several transactions at once.
import { afterAll, expect, test } from "bun:test";

import { encodeId } from "@plinth/contract/ids";
import { uuidOf } from "@plinth/db/columns";
import { holdTransaction } from "@plinth/db/test/locks";

import { createSetupWithProject, outcome } from "../test/context.ts";
import { createShareUses } from "./uses.ts";

const { setup, owner, project } = await createSetupWithProject();
afterAll(() => setup.close());

async function shared(links: number) {
  const { artifactId } = await setup.publish(owner.token, project);
  const made: string[] = [];
  for (let n = 0; n < links; n++)
    made.push((await setup.call("shareLink.create", { artifactId, role: "viewer" }, { as: owner.token })).shareLinkId);
  return { artifactId, links: made };
}
const revoke = "UPDATE share_link SET revoked_at = now() WHERE share_link_id = $1";

test("two revocations of one link: the second one waits and records no second event", async () => {
  const { links } = await shared(1);
  const [shareLinkId = ""] = links;
  await holdTransaction(setup.db.url, async (held) => {
    await held.run(revoke, [uuidOf("shr", shareLinkId)]);
    const revoking = outcome(setup.call("shareLink.revoke", { shareLinkId }, { as: owner.token }));
    await held.untilWaitedFor(revoking);
    await held.commit();
    await revoking;
  });
  const events = await setup.db.run("SELECT FROM audit_event WHERE kind = 'share_link.revoked' AND target_id = $1", [
    shareLinkId,
  ]);
  expect(events).toHaveLength(0);
});

/** Two links of one artifact, by identifier; the first one comes last in the table. */
async function twoOutOfOrder() {
  const { artifactId, links } = await shared(2);
  const [second = "", made = ""] = links;
  const first = encodeId("shr", `00000000-0000-7000-8000-${crypto.randomUUID().slice(-12)}`);
  await setup.db.run("UPDATE share_link SET share_link_id = $2 WHERE share_link_id = $1", [
    uuidOf("shr", made),
    uuidOf("shr", first),
  ]);
  return { artifactId, first, second };
}

test("counting uses locks links in the order of their creation: no deadlock with a revocation", async () => {
  const { artifactId, first, second } = await twoOutOfOrder();
  const uses = createShareUses(setup.db);
  for (const shareLinkId of [second, first])
    uses.record(
      {
        type: "share_link",
        link: { shareLinkId, artifactId, role: "viewer", label: null },
        beside: { type: "anonymous", address: "" },
      },
      { surface: "api", requestId: "req-test-locks" },
    );
  await holdTransaction(setup.db.url, async (held) => {
    await held.run(revoke, [uuidOf("shr", first)]);
    const counting = outcome(uses.flush());
    await held.untilWaitedFor(counting);
    await held.run(revoke, [uuidOf("shr", second)]);
    await held.commit();
    expect(await counting).toBe("done");
  });
});
