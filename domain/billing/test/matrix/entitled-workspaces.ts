// Where entitlements are required: a personal workspace, a team on its holder's plan and a team with its own plan, each
// with something public and something private in it, created while its plan had everything.
import type { Input } from "@plinth/contract/registry";
import { scopes } from "@plinth/contract/scopes";

import { publishOld } from "../../../retention/test/old-artifacts.ts";
import { type Caller, type TestPerson, type Setup } from "../../../test/context.ts";

export interface Place {
  readonly kind: "a personal workspace" | "a team on its holder's plan" | "a team with a plan of its own";
  readonly workspaceId: string;
  readonly slug: string;
  /** Whose plan it has. */
  readonly holderId: string;
  /** The acting user's plan, where it differs. */
  readonly ownPlan: "free" | null;
  /** An admin in a browser. */
  readonly as: Caller;
  readonly projectId: string;
  readonly projectSlug: string;
  readonly shown: string;
  readonly hidden: string;
  /** Private, and deleted. */
  readonly deleted: string;
  /** With versions of many ages, given in `ages`. */
  readonly old: string;
  /** Projects of theirs in a team with everything, one with something private in it and one without. */
  readonly elsewhere: { readonly hidden: string; readonly shown: string };
  readonly guest: TestPerson & { readonly as: Caller; readonly email: string; readonly token: string };
}

export const open = { publicView: true, publicEdit: false, viewerEmails: [] };
export const closed = { publicView: false, publicEdit: false, viewerEmails: [] };
export const listing = (email: string) => ({ ...closed, viewerEmails: [email] });

/** Days since each version of the old artifact was made; the next one took its place. */
export const ages = [400, 365.1, 364.9, 30.1, 29.9, 1];

export async function createPlaces(setup: Setup): Promise<Place[]> {
  const single = await setup.person({ plan: "team" });
  const holder = await setup.person({ plan: "team" });
  const admin = await setup.person({ plan: "free" });
  const held = await setup.call(
    "workspace.create",
    { slug: setup.name("held"), name: "Held" },
    { as: await setup.session(holder.userId) },
  );
  const own = await setup.team({ [admin.userId]: "admin" });
  const { workspaceId, username } = single;
  return [
    await furnished(setup, single, {
      kind: "a personal workspace",
      workspaceId,
      slug: username,
      holderId: workspaceId,
      ownPlan: null,
    }),
    await furnished(setup, holder, {
      kind: "a team on its holder's plan",
      workspaceId: held.workspaceId,
      slug: held.slug,
      holderId: holder.workspaceId,
      ownPlan: null,
    }),
    await furnished(setup, admin, {
      kind: "a team with a plan of its own",
      ...own,
      holderId: own.workspaceId,
      ownPlan: "free",
    }),
  ];
}

type Bare = Pick<Place, "kind" | "workspaceId" | "slug" | "holderId" | "ownPlan">;

async function furnished(setup: Setup, person: TestPerson, place: Bare): Promise<Place> {
  const as = await setup.session(person.userId);
  const project = await setup.project(as, place.slug);
  const publish = async (access: Input<"artifact.create">["access"]) => {
    const { artifactId } = await setup.publish(as, project.slug, { ownerUsername: place.slug, access });
    await setup.call("version.create", { artifactId, content: "# Second" }, { as });
    return artifactId;
  };
  const [shown, hidden, deleted] = [
    await publish(open),
    await publish(listing("ada@example.org")),
    await publish(closed),
  ];
  await setup.call("artifact.delete", { artifactId: deleted }, { as });
  const token = await setup.key(person.userId, scopes, place.workspaceId);
  const old = await publishOld(setup, { ...person, token }, project.slug, ages);
  return {
    ...place,
    as,
    projectId: project.projectId,
    projectSlug: project.slug,
    shown,
    hidden,
    deleted,
    old,
    elsewhere: await furnishedElsewhere(setup, person, as),
    guest: await invited(setup, place.workspaceId, as),
  };
}

async function furnishedElsewhere(setup: Setup, { userId }: TestPerson, as: Caller): Promise<Place["elsewhere"]> {
  const { slug: ownerUsername } = await setup.team({ [userId]: "admin" });
  const holding = async (access: Input<"artifact.create">["access"]) => {
    const project = await setup.project(as, ownerUsername);
    await setup.publish(as, project.slug, { ownerUsername, access });
    return project.projectId;
  };
  return { hidden: await holding(closed), shown: await holding(open) };
}

/** A person with a pending invitation. */
async function invited(setup: Setup, workspaceId: string, admin: Caller): Promise<Place["guest"]> {
  const person = await setup.person({ plan: "free" });
  const email = `${person.username}@example.org`;
  const { url } = await setup.call("invitation.create", { workspaceId, email, role: "viewer" }, { as: admin });
  return { ...person, email, as: await setup.session(person.userId), token: url?.split("#")[1] ?? "" };
}
