// Where entitlements are required: a personal workspace, a team on its holder's plan and a team with its own plan, each
// with something public and something private in it, created while its plan had everything.
import type { Input } from "@plinth/contract/registry";
import { scopes } from "@plinth/contract/scopes";

import { publishOld } from "../../../retention/test/old-artifacts.ts";
import { type Caller, type TestPerson, type World } from "../../../test/context.ts";

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

export async function createPlaces(world: World): Promise<Place[]> {
  const single = await world.person({ plan: "team" });
  const holder = await world.person({ plan: "team" });
  const admin = await world.person({ plan: "free" });
  const held = await world.call(
    "workspace.create",
    { slug: world.name("held"), name: "Held" },
    { as: await world.session(holder.userId) },
  );
  const own = await world.team({ [admin.userId]: "admin" });
  const { workspaceId, username } = single;
  return [
    await furnished(world, single, {
      kind: "a personal workspace",
      workspaceId,
      slug: username,
      holderId: workspaceId,
      ownPlan: null,
    }),
    await furnished(world, holder, {
      kind: "a team on its holder's plan",
      workspaceId: held.workspaceId,
      slug: held.slug,
      holderId: holder.workspaceId,
      ownPlan: null,
    }),
    await furnished(world, admin, {
      kind: "a team with a plan of its own",
      ...own,
      holderId: own.workspaceId,
      ownPlan: "free",
    }),
  ];
}

type Bare = Pick<Place, "kind" | "workspaceId" | "slug" | "holderId" | "ownPlan">;

async function furnished(world: World, person: TestPerson, place: Bare): Promise<Place> {
  const as = await world.session(person.userId);
  const project = await world.project(as, place.slug);
  const publish = async (access: Input<"artifact.create">["access"]) => {
    const { artifactId } = await world.publish(as, project.slug, { ownerUsername: place.slug, access });
    await world.call("version.create", { artifactId, content: "# Second" }, { as });
    return artifactId;
  };
  const [shown, hidden, deleted] = [
    await publish(open),
    await publish(listing("ada@example.org")),
    await publish(closed),
  ];
  await world.call("artifact.delete", { artifactId: deleted }, { as });
  const token = await world.key(person.userId, scopes, place.workspaceId);
  const old = await publishOld(world, { ...person, token }, project.slug, ages);
  return {
    ...place,
    as,
    projectId: project.projectId,
    projectSlug: project.slug,
    shown,
    hidden,
    deleted,
    old,
    elsewhere: await furnishedElsewhere(world, person, as),
    guest: await invited(world, place.workspaceId, as),
  };
}

async function furnishedElsewhere(world: World, { userId }: TestPerson, as: Caller): Promise<Place["elsewhere"]> {
  const { slug: ownerUsername } = await world.team({ [userId]: "admin" });
  const holding = async (access: Input<"artifact.create">["access"]) => {
    const project = await world.project(as, ownerUsername);
    await world.publish(as, project.slug, { ownerUsername, access });
    return project.projectId;
  };
  return { hidden: await holding(closed), shown: await holding(open) };
}

/** A person with a pending invitation. */
async function invited(world: World, workspaceId: string, admin: Caller): Promise<Place["guest"]> {
  const person = await world.person({ plan: "free" });
  const email = `${person.username}@example.org`;
  const { url } = await world.call("invitation.create", { workspaceId, email, role: "viewer" }, { as: admin });
  return { ...person, email, as: await world.session(person.userId), token: url?.split("#")[1] ?? "" };
}
