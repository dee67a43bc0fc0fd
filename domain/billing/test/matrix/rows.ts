// The calls that are tried in each place and situation: every operation that requires an entitlement, in each way to
// call it, and those that must not require one. The reference model has the expected results.
import { entitlementsOf } from "@plinth/contract/plans";
import type { Input, OperationName, Output } from "@plinth/contract/registry";
import { uuidOf } from "@plinth/db/columns";

import type { Instance } from "../../../context.ts";
import { operatorToken, type Caller, type Setup } from "../../../test/context.ts";
import { always, ifPrivate, ifSeat, ifTeams, type Entitled, type Outcome } from "./expected.ts";
import { closed, listing, open, type Place } from "./entitled-workspaces.ts";

type Within = { readonly setup: Setup; readonly inside: Instance };

type Before = (within: Within, place: Place) => Promise<void>;

export interface Row {
  readonly name: OperationName;
  readonly does: string;
  readonly input: (place: Place) => object;
  readonly as?: (place: Place) => Caller;
  /** A call made just before. */
  readonly before?: Before;
  /** The expected value computed from the answer, instead of "done". */
  readonly says?: (answer: unknown, place: Place) => unknown;
  readonly expects: (has: Entitled, place: Place) => unknown;
}

/** A row of one operation, whose input and answer are known. */
function row<Name extends OperationName>(
  name: Name,
  does: string,
  input: (place: Place) => Input<Name>,
  expects: Row["expects"],
  more: Pick<Row, "as" | "before"> & { readonly says?: (answer: Output<Name>, place: Place) => unknown } = {},
): Row {
  return { name, does, input, expects, ...(more as Pick<Row, "as" | "before" | "says">) };
}

/** The plan of the acting user: in a team with its own plan, different from the place's. */
const ofTheirs =
  (expects: (has: Entitled) => unknown): Row["expects"] =>
  (has, { ownPlan }) =>
    expects(ownPlan === null ? has : { plan: ownPlan, ...entitlementsOf(ownPlan) });

const text = { type: "md" as const, title: "New", content: "# New" };
const fresh = ({ projectSlug }: Place) => ({ projectSlug, slug: "a-new-one", ...text });

const ways: readonly [
  does: string,
  access: typeof open | Omit<typeof open, "viewerEmails">,
  expects: Row["expects"],
][] = [
  ["public", { publicView: true, publicEdit: false }, always],
  ["public for everyone to edit", { publicView: true, publicEdit: true }, always],
  ["public with an allowlist", { ...open, ...{ viewerEmails: ["ada@example.org"] } }, always],
  ["private", { publicView: false, publicEdit: false }, ifPrivate],
  ["private with nobody listed", closed, ifPrivate],
  ["private with an allowlist", listing("ada@example.org"), ifPrivate],
];

const creating: Row[] = ways.flatMap(([does, access, expects]) => [
  row("artifact.create", does, (place) => ({ ownerUsername: place.slug, ...fresh(place), access }), expects),
  row(
    "artifact.createInWorkspace",
    does,
    (place) => ({ workspaceId: place.workspaceId, ...fresh(place), access }),
    expects,
  ),
  row("artifact.put", does, (place) => ({ owner: place.slug, ...fresh(place), access }), expects),
]);

/** Without an access object nothing is made, rather than something private. */
const withoutAccess: Row[] = [
  {
    name: "artifact.create",
    does: "without an access object",
    input: (place) => ({ ownerUsername: place.slug, ...fresh(place) }),
    expects: () => "invalid_request" satisfies Outcome,
  },
];

const published: Before = async ({ setup, inside }, { hidden, as }) => {
  await setup.answerOf(inside, "access.update", { artifactId: hidden, ...open }, { as });
};

const access: Row[] = [
  row("access.update", "from public to private", ({ shown }) => ({ artifactId: shown, ...closed }), ifPrivate),
  row(
    "access.update",
    "from public to an allowlist",
    ({ shown }) => ({ artifactId: shown, ...listing("a@b.org") }),
    ifPrivate,
  ),
  row(
    "access.update",
    "public and editable",
    ({ shown }) => ({ artifactId: shown, ...open, publicEdit: true }),
    always,
  ),
  row(
    "access.update",
    "public, with an allowlist",
    ({ shown }) => ({ artifactId: shown, ...open, viewerEmails: ["a@b.org"] }),
    always,
  ),
  row(
    "access.update",
    "private as before",
    ({ hidden }) => ({ artifactId: hidden, ...listing("ada@example.org") }),
    always,
  ),
  row(
    "access.update",
    "private, others listed",
    ({ hidden }) => ({ artifactId: hidden, ...listing("b@c.org") }),
    always,
  ),
  row("access.update", "private, nobody listed", ({ hidden }) => ({ artifactId: hidden, ...closed }), always),
  row("access.update", "from private to public", ({ hidden }) => ({ artifactId: hidden, ...open }), always),
  row("access.update", "back to private", ({ hidden }) => ({ artifactId: hidden, ...closed }), ifPrivate, {
    before: published,
  }),
  row("project.updateAccess", "all to private", ({ projectId }) => ({ projectId, publicView: false }), ifPrivate),
  row(
    "project.updateAccess",
    "a public one to private",
    ({ projectId, shown }) => ({ projectId, artifactIds: [shown], publicView: false }),
    ifPrivate,
  ),
  row("project.updateAccess", "all to public", ({ projectId }) => ({ projectId, publicView: true }), always),
  row(
    "project.updateAccess",
    "a private one, others listed",
    ({ projectId, hidden }) => ({ projectId, artifactIds: [hidden], viewerEmails: ["b@c.org"] }),
    always,
  ),
  row("access.get", "of a private one", ({ hidden }) => ({ artifactId: hidden }), always),
  row("access.audience", "of a private one", ({ hidden }) => ({ artifactId: hidden }), always),
];

/** Existing artifacts keep working. */
const going: Row[] = (["shown", "hidden"] as const).flatMap((which) => {
  const it = (place: Place) => ({ artifactId: place[which] });
  const of = which === "shown" ? "a public one" : "a private one";
  return [
    row("artifact.get", of, it, always),
    row("version.content", of, it, always),
    row("version.archive", of, it, always),
    row("version.diff", of, (place) => ({ ...it(place), from: 1, to: 2 }), always),
    row("version.create", of, (place) => ({ ...it(place), content: "# Third" }), always),
    row("version.edit", of, (place) => ({ ...it(place), edits: [{ oldText: "Second", newText: "Third" }] }), always),
    row("version.restore", of, (place) => ({ ...it(place), versionNumber: 1 }), always),
    row("artifact.patch", of, (place) => ({ ...it(place), title: "Anew", slug: "anew" }), always),
    row("shareLink.create", of, (place) => ({ ...it(place), role: "editor" as const }), always),
    row("artifact.delete", of, it, always),
  ];
});

const others: Row[] = [
  row("artifact.undelete", "a private one", ({ deleted }) => ({ artifactId: deleted }), always),
  row(
    "project.create",
    "one more",
    ({ slug }) => ({ ownerUsername: slug, slug: "one-more", title: "P", icon: "p" }),
    always,
  ),
  row("project.update", "its title", ({ projectId }) => ({ projectId, title: "Anew" }), always),
  row(
    "project.move",
    "one with something private, from elsewhere",
    ({ elsewhere, slug }) => ({ projectId: elsewhere.hidden, ownerUsername: slug }),
    ifPrivate,
  ),
  row(
    "project.move",
    "one without anything private, from elsewhere",
    ({ elsewhere, slug }) => ({ projectId: elsewhere.shown, ownerUsername: slug }),
    always,
  ),
  row(
    "project.move",
    "its slug alone",
    ({ projectId, slug }) => ({ projectId, ownerUsername: slug, slug: "anew" }),
    always,
  ),
  row("project.listMine", "what there is", () => ({}), always),
  row("member.list", "who belongs", ({ workspaceId }) => ({ workspaceId }), always),
  row("apiKey.create", "one more", () => ({ name: "k", scopes: ["artifacts:read" as const] }), always),
  row("workspace.create", "a team", () => ({ slug: "one-more-team", name: "T" }), ofTheirs(ifTeams)),
];

/** Has so many people belong to the place, its admin among them. */
const people =
  (count: number): Before =>
  async ({ inside }, { workspaceId }) => {
    await inside.db.run(
      `WITH made AS (
         INSERT INTO "user" (user_id, email, email_verified)
         SELECT gen_random_uuid(), 'one-more-' || n || '@example.org', true FROM generate_series(2, $2::int) n
         RETURNING user_id
       )
       INSERT INTO membership (workspace_id, user_id, role) SELECT $1::uuid, user_id, 'viewer' FROM made`,
      [uuidOf("wsp", workspaceId), count],
    );
  };

/** One more is invited already. */
const inviting: Row[] = [1, 8, 9, 10, 11].map((count) =>
  row(
    "invitation.create",
    `beside ${count} and an invitation`,
    ({ workspaceId }) => ({ workspaceId, email: "someone@example.org", role: "member" as const }),
    ifSeat(count + 1),
    { before: people(count) },
  ),
);

/** An invitation has its seat, as long as there is one for it. */
const accepting: Row[] = [1, 9, 10, 11, 12].map((count) =>
  row("invitation.accept", `beside ${count}`, ({ guest }) => ({ token: guest.token }), ifSeat(count), {
    as: ({ guest }) => guest.as,
    before: people(count),
  }),
);

const seats: Row[] = [
  ...inviting,
  ...accepting,
  row(
    "invitation.create",
    "the one who is invited already",
    ({ workspaceId, guest }) => ({ workspaceId, email: guest.email, role: "member" as const }),
    always,
    { before: people(12) },
  ),
  row("invitation.list", "beside more than there are seats", ({ workspaceId }) => ({ workspaceId }), always, {
    before: people(12),
  }),
  row(
    "operator.setMember",
    "beside more than there are seats",
    ({ workspaceId, guest }) => ({ workspaceId, userId: guest.userId, role: "member" as const }),
    always,
    { as: () => operatorToken, before: people(12) },
  ),
  row("operator.setPlan", "the least", ({ workspaceId }) => ({ workspaceId, plan: "free" as const }), always, {
    as: () => operatorToken,
    before: people(12),
  }),
];

const dayMs = 86_400_000;

const said: Row[] = [
  row(
    "billing.get",
    "what there is",
    ({ workspaceId }) => ({ workspaceId }),
    ({ plan, ...has }) => ({ plan, ...has, limit: has.seats }),
    {
      says: ({ plan, entitlements, seats: { limit } }) => ({ plan, ...entitlements, limit }),
    },
  ),
  row(
    "profile.get",
    "what there is",
    () => ({}),
    ofTheirs((has) => has),
    {
      says: ({ plan, entitlements }) => ({ plan, ...entitlements }),
    },
  ),
  row(
    "workspace.list",
    "what there is",
    () => ({}),
    ({ plan, seats: limit }) => ({ plan, limit }),
    {
      says: ({ workspaces }, { workspaceId }) => {
        const found = workspaces.find((one) => one.workspaceId === workspaceId);
        return { plan: found?.plan, limit: found?.seats.limit };
      },
    },
  ),
  row(
    "version.list",
    "until when",
    ({ hidden }) => ({ artifactId: hidden }),
    (has) => has.versionRetentionDays,
    {
      says: ({ versions: [second, first] }) =>
        (Date.parse(first?.expiresAt ?? "") - Date.parse(second?.createdAt ?? "")) / dayMs,
    },
  ),
];

export const rows: readonly Row[] = [...creating, ...withoutAccess, ...access, ...going, ...others, ...seats, ...said];

/** The files that ask, and what is done there. */
export const asking: Readonly<Record<string, readonly OperationName[]>> = {
  "domain/projects/move.ts": ["project.move"],
  "domain/sharing/update.ts": ["access.update"],
  "domain/artifacts/update-project-access.ts": ["project.updateAccess"],
  "domain/artifacts/create.ts": ["artifact.create", "artifact.createInWorkspace", "artifact.put"],
  "domain/workspaces/accept.ts": ["invitation.accept"],
  "domain/workspaces/create.ts": ["workspace.create"],
  "domain/workspaces/invite.ts": ["invitation.create"],
};
