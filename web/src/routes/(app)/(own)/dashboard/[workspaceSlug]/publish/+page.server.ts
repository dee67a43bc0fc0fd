// Publishing from the browser: where to, and the form without script. With script the page asks the API file by file.
import type { Client } from "@plinth/contract/client";
import { ProblemError } from "@plinth/contract/client";
import { pageLimit } from "@plinth/contract/limits";
import { entitlementsOf, planNames, planWith } from "@plinth/contract/plans";
import { slugOfTitle } from "@plinth/contract/publishing/slug";
import { redirect } from "@sveltejs/kit";
import { clientOf, orSignIn } from "#lib/server/api.ts";
import { publishForm } from "#lib/server/publish-form.ts";
import { platformOf } from "#lib/server/platform.ts";
import { refuseRole } from "#lib/server/refuse-role.ts";
import { submit, type Fields } from "#lib/server/submit.ts";
import { requireNamedViewer } from "#lib/server/viewer.ts";
import { requireWorkspace } from "#lib/server/workspaces.ts";
import { publishingTexts } from "#messages/publishing.ts";
import type { Actions, PageServerLoad } from "./$types";

export const load: PageServerLoad = async (event) => {
  const asked = Promise.allSettled([
    clientOf(event).call("workspace.projects", { workspaceId: event.params.workspaceSlug, limit: pageLimit.max }),
  ]);
  await requireNamedViewer(event);
  const workspace = await requireWorkspace(event, event.params.workspaceSlug);
  const { workspaceId, slug, name, plan, kind, role } = workspace;
  if (kind !== "personal" && role !== "admin" && role !== "member")
    await refuseRole(event, workspace, publishingTexts().requiresMember({ workspace: name }));
  const [listed] = await asked;
  const { projects, nextCursor } = await orSignIn(
    event,
    listed.status === "fulfilled" ? Promise.resolve(listed.value) : Promise.reject(listed.reason),
  );
  const { maxContentBytes, publicUrl } = platformOf(event);
  const wanted = event.url.searchParams.get("project");
  const choices = projects.map(({ slug, title }) => ({ slug, title }));
  // There are more projects than are listed, and this may be one of them; publishing says where it is none.
  if (wanted !== null && nextCursor !== null && !choices.some((one) => one.slug === wanted))
    choices.unshift({ slug: wanted, title: wanted });
  return {
    workspace: { workspaceId, slug, name, isPersonal: kind === "personal" },
    projects: choices,
    project: choices.find((one) => one.slug === wanted)?.slug ?? choices[0]?.slug ?? null,
    hasPrivate: entitlementsOf(plan).privateArtifacts,
    privatePlan: planNames[planWith("privateArtifacts")],
    maxBytes: maxContentBytes,
    host: new URL(publicUrl).host,
  };
};

export const actions: Actions = {
  publish: async (event) => {
    const { workspaceId, slug: owner } = await requireWorkspace(event, event.params.workspaceSlug);
    const outcome = await submit(event, "publish", async (client, field) => {
      return publishForm(client, field, { workspaceId, projectSlug: await projectOf(client, field, owner) });
    });
    if ("status" in outcome) return outcome;
    redirect(303, new URL(outcome.result?.url ?? "/", event.url).pathname);
  },
};

/** The project that was chosen, or one made now; one that is there already is what was wanted. */
async function projectOf(client: Client, field: Fields, ownerUsername: string): Promise<string> {
  const title = field.text("newProject");
  if (title === "") return field.text("projectSlug");
  const slug = (await slugOfTitle(title)) ?? "project";
  try {
    await client.call("project.create", { ownerUsername, slug, title, icon: "📄" });
  } catch (cause) {
    if (!(cause instanceof ProblemError) || cause.problem.code !== "slug_conflict") throw cause;
  }
  return slug;
}
