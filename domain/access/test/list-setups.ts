// Random test data for the proof that lists and `decide` agree: callers with their credentials, and artifacts.
import { artifactTypes } from "@plinth/contract/schemas/artifact";
import { workspaceRoles } from "@plinth/contract/roles";
import { scopes } from "@plinth/contract/scopes";
import { newId, uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";
import { credential, membership, user, workspace } from "@plinth/db/schema/accounts";
import { artifact, project, shareLink } from "@plinth/db/schema/artifacts";
import { session } from "@plinth/db/schema/identity";
import * as fc from "fast-check";

import { mintToken, tokenHash } from "../../tokens/token.ts";
import type { Credential, Share } from "../call.ts";

const callerAddress = "caller@example.org";
const allowlists = [callerAddress, "other@example.org", "caller+x@example.org", "caller@example.com"] as const;
const places = fc.constantFrom(0, 1, 2);

/** Three workspaces, the first of them the caller's own in some; two projects in each. */
export const setups = fc.record({
  email: fc.constantFrom(callerAddress, "Caller@Example.ORG"),
  emailVerified: fc.boolean(),
  roles: fc.tuple(...[0, 1, 2].map(() => fc.constantFrom(null, null, ...workspaceRoles))),
  isFirstPersonal: fc.boolean(),
  artifacts: fc.array(
    fc.record({
      place: places,
      project: fc.constantFrom(0, 1),
      type: fc.constantFrom(...artifactTypes),
      publicView: fc.boolean(),
      publicEdit: fc.boolean(),
      viewerEmails: fc.subarray([...allowlists]),
      isDeleted: fc.integer({ min: 0, max: 5 }).map((number) => number === 0),
      isOfCaller: fc.boolean(),
    }),
    { minLength: 1, maxLength: 8 },
  ),
  links: fc.array(
    fc.record({
      artifact: fc.nat(7),
      role: fc.constantFrom("viewer", "editor"),
      state: fc.constantFrom("live", "live", "revoked", "expired"),
    }),
    { maxLength: 3 },
  ),
  callers: fc.uniqueArray(
    fc.record({
      kind: fc.constantFrom("anonymous", "session", "key", "held key"),
      heldTo: places,
      /** A token in a header, a cookie with all of them, or nothing. */
      brings: fc.constantFrom("nothing", "token", "cookie"),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  limit: fc.constantFrom(2, 100),
  filter: fc.nat(3),
});

export type ListSetup = typeof setups extends fc.Arbitrary<infer Value> ? Value : never;

/** A caller in the test data, in the form that a surface passes. */
export interface SetupCaller {
  readonly credential: Credential;
  readonly share?: Share;
  /** The valid links that the caller brings. */
  readonly good: ReadonlySet<string>;
}

export interface MadeSetup {
  readonly callers: readonly SetupCaller[];
  readonly workspaces: readonly { readonly workspaceId: string; readonly slug: string }[];
  readonly projects: readonly { readonly projectId: string; readonly workspaceId: string; readonly slug: string }[];
  readonly artifactIds: readonly string[];
}

const actor = { type: "user", id: "x", label: "x" } as const;
const hour = 60 * 60_000;

/** Writes the test data into an empty database, with one statement for each table. */
export async function makeSetup(db: Database, wanted: ListSetup): Promise<MadeSetup> {
  const userId = newId("usr");
  const otherId = newId("usr");
  await db.orm.insert(user).values([
    { userId, email: wanted.email, emailVerified: wanted.emailVerified },
    { userId: otherId, email: "maker@example.org", emailVerified: true },
  ]);
  const workspaces = wanted.roles.map((role, n) => {
    const isPersonal = n === 0 && wanted.isFirstPersonal;
    const base = {
      workspaceId: newId("wsp"),
      slug: `place-${n}`,
      name: "W",
      plan: "team" as const,
      planGranted: "team" as const,
    };
    const kind = isPersonal ? ("personal" as const) : ("team" as const);
    return { ...base, kind, personalOf: isPersonal ? userId : null, role: isPersonal ? ("admin" as const) : role };
  });
  await db.orm.insert(workspace).values(workspaces);
  const members = workspaces.flatMap(({ workspaceId, role }) => (role === null ? [] : [{ workspaceId, userId, role }]));
  if (members.length > 0) await db.orm.insert(membership).values(members);
  const projects = workspaces.flatMap(({ workspaceId }) =>
    ["p-0", "p-1"].map((slug) => ({ projectId: newId("prj"), workspaceId, slug, title: "P", icon: "p" })),
  );
  await db.orm.insert(project).values(projects);
  const artifacts = wanted.artifacts.map(({ place, isDeleted, isOfCaller, publicEdit, ...row }, n) => ({
    ...row,
    artifactId: newId("art"),
    projectId: projects[2 * place + row.project]?.projectId ?? "",
    workspaceId: workspaces[place]?.workspaceId ?? "",
    slug: `a-${n}`,
    title: "Report",
    latestVersion: 1,
    publicEdit: row.publicView && publicEdit,
    createdBy: actor,
    creatorId: isOfCaller ? userId : otherId,
    deletedAt: isDeleted ? new Date() : null,
  }));
  await db.orm.insert(artifact).values(artifacts);
  await db.run(
    `INSERT INTO version (artifact_id, version_number, sha256, size_bytes, created_by)
     SELECT artifact_id, 1, '', 0, created_by FROM artifact`,
  );
  await db.run(
    `INSERT INTO search_document (artifact_id, version_number, name, words, public_view)
     SELECT artifact_id, 1, E'report\\n' || slug, array_to_tsvector(ARRAY['report', '=report', 'of', '@t' || type,
       '@w' || replace(workspace_id::text, '-', ''), '@p' || replace(project_id::text, '-', ''),
       '@u' || replace(creator_id::text, '-', ''), to_char(updated_at AT TIME ZONE 'UTC', '"+"YYYY')]), public_view FROM artifact`,
  );
  // All changed at one time, so that their identifiers are what tells them apart.
  await db.run(
    `INSERT INTO artifact_order (artifact_id, project_id, workspace_id, public_view, updated_at, title_key)
     SELECT artifact_id, project_id, workspace_id, public_view, now(), md5(slug) FROM artifact`,
  );
  const links = wanted.links.map(({ artifact: at, role, state }) => {
    const token = mintToken("share");
    const ends = { expiresAt: state === "expired" ? new Date(Date.now() - hour) : null };
    const { artifactId } = artifacts[at % artifacts.length] ?? { artifactId: "" };
    const hash = tokenHash(token);
    const revokedAt = state === "revoked" ? new Date() : null;
    return { shareLinkId: newId("shr"), artifactId, role, hash, ...ends, revokedAt, createdBy: actor, state };
  });
  if (links.length > 0) {
    const rows = links.map(({ hash, ...row }) => ({ ...row, hash: Buffer.from(hash, "hex") }));
    await db.orm.insert(shareLink).values(rows);
  }
  const deleted = new Set(artifacts.filter(({ deletedAt }) => deletedAt !== null).map(({ artifactId }) => artifactId));
  const callers: SetupCaller[] = [];
  for (const { kind, heldTo, brings } of wanted.callers) {
    const brought = brings === "nothing" ? [] : brings === "token" ? links.slice(0, 1) : links;
    const [first] = brought;
    const granted = brought.map(({ shareLinkId }) => shareLinkId);
    const share = first === undefined ? {} : { share: brings === "token" ? { hash: first.hash } : { granted } };
    const held = kind === "held key" ? (workspaces[heldTo]?.workspaceId ?? null) : null;
    callers.push({
      credential: await present(db, kind, userId, held),
      ...share,
      good: new Set(
        brought
          .filter(({ state, artifactId }) => state === "live" && !deleted.has(artifactId))
          .map(({ shareLinkId }) => shareLinkId),
      ),
    });
  }
  return { callers, workspaces, projects, artifactIds: artifacts.map(({ artifactId }) => artifactId) };
}

async function present(db: Database, kind: string, userId: string, held: string | null): Promise<Credential> {
  if (kind === "anonymous") return { kind: "none" };
  if (kind === "session") {
    const token = crypto.randomUUID();
    await db.orm.insert(session).values({ id: newId("ses"), token, userId, expiresAt: new Date(Date.now() + hour) });
    return { kind: "session", token };
  }
  const hash = tokenHash(mintToken("apiKey"));
  await db.orm.insert(credential).values({
    credentialId: uuidOf("key", newId("key")),
    kind: "api_key",
    hash: Buffer.from(hash, "hex"),
    name: "key",
    scopes: [...scopes],
    userId,
    workspaceId: held,
    createdBy: actor,
  });
  return { kind: "key", hash };
}
