// A project's place: which workspace it stands in, and moving it to another one.
import { entitlementsOf } from "@plinth/contract/plans";
import type { Workspace } from "@plinth/contract/schemas/account";
import { redirect } from "@sveltejs/kit";
import { clientOf, orSignIn } from "#lib/server/api.ts";
import { platformOf } from "#lib/server/platform.ts";
import { redirectRenamedDashboard } from "#lib/server/renamed.ts";
import { notConfirmed, submit } from "#lib/server/submit.ts";
import { ownWorkspaces } from "#lib/server/workspaces.ts";
import { moveProjectTexts } from "#messages/workspaces.ts";
import type { Actions, PageServerLoad } from "./$types";

export const load: PageServerLoad = async (event) => {
  const { workspaceSlug: owner, projectSlug } = event.params;
  const client = clientOf(event);
  const [workspaces, project] = await orSignIn(
    event,
    Promise.all([ownWorkspaces(event), client.call("project.getByPath", { owner, projectSlug })]),
  );
  const { ownerUsername, slug, title, icon, artifactCount } = project;
  redirectRenamedDashboard(event, { ownerUsername, projectSlug: slug });
  const here = workspaces.find((workspace) => workspace.slug === ownerUsername);
  return {
    project: { ownerUsername, slug, title, icon, artifactCount },
    here: here === undefined ? null : placeOf(here),
    mayMove: here?.role === "admin",
    places: workspaces.filter((place) => place.slug !== ownerUsername && mayCreateIn(place)).map(placeOf),
    host: new URL(platformOf(event).publicUrl).host,
    hasMoved: event.url.searchParams.has("moved"),
  };
};

const settingsOf = ({ ownerUsername, slug }: { ownerUsername: string; slug: string }) =>
  `/dashboard/${ownerUsername}/p/${slug}/settings`;

/** The API decides; this is what is offered. */
const mayCreateIn = ({ role }: Workspace): boolean => role === "admin" || role === "member";

const placeOf = ({ slug, name, kind, plan }: Workspace) => ({
  slug,
  name,
  kind,
  hasPrivate: entitlementsOf(plan).privateArtifacts,
  keepsDays: entitlementsOf(plan).versionRetentionDays,
});

export const actions: Actions = {
  move: async (event) => {
    const { workspaceSlug: owner, projectSlug } = event.params;
    const text = moveProjectTexts();
    const outcome = await submit(event, "move", async (client, field) => {
      const { projectId, slug } = await client.call("project.getByPath", { owner, projectSlug });
      if (field.text("confirm") !== slug) throw notConfirmed(event, text.notConfirmed, text.mustBe({ slug }));
      const wanted = field.text("slug");
      return settingsOf(
        await client.call("project.move", {
          projectId,
          ownerUsername: field.text("ownerUsername"),
          ...(wanted === "" || wanted === slug ? {} : { slug: wanted }),
        }),
      );
    });
    if ("status" in outcome) return outcome;
    redirect(303, `${outcome.result}?moved`);
  },
};
