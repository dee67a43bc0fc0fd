// The first artifact: published here, by an agent or by the command line; and whether something has arrived.
import { type Client, ProblemError } from "@plinth/contract/client";
import { redirect } from "@sveltejs/kit";
import { agentCommands } from "#lib/server/agent-commands.ts";
import { publishForm } from "#lib/server/publish-form.ts";
import { clientOf, orSignIn } from "#lib/server/api.ts";
import { isDemoDocument } from "#lib/server/demo/demo.ts";
import { platformOf } from "#lib/server/platform.ts";
import { submit } from "#lib/server/submit.ts";
import { requireNamedViewer } from "#lib/server/viewer.ts";
import { scopePresets } from "#lib/scope-words.ts";
import { firstRunTexts } from "#messages/first-run.ts";
import type { Actions, PageServerLoad } from "./$types";

const projectSlug = "notes";

export const load: PageServerLoad = async (event) => {
  event.depends("plinth:first-artifact");
  const [{ username, workspaceId, entitlements }, { artifacts }] = await orSignIn(
    event,
    Promise.all([requireNamedViewer(event), clientOf(event).call("artifact.listMine", {})]),
  );
  // An artifact of the demo project is not the person's first.
  const latest = artifacts.find((artifact) => artifact.ownerUsername !== username || !isDemoDocument(artifact));
  const { publicUrl, maxContentBytes } = platformOf(event);
  return {
    publicUrl,
    agents: agentCommands(publicUrl),
    workspaceId,
    hasPrivate: entitlements.privateArtifacts,
    maxBytes: maxContentBytes,
    username,
    projectSlug,
    arrived: latest === undefined ? null : { title: latest.title, path: new URL(latest.url).pathname },
  };
};

const createNotes = (client: Client) =>
  client
    .call("project.create", { slug: projectSlug, title: firstRunTexts().projectTitle, icon: "📝" })
    .catch((cause: unknown) => {
      // It is there already, which is all that is needed.
      if (!(cause instanceof ProblemError) || cause.problem.code !== "slug_conflict") throw cause;
    });

export const actions: Actions = {
  publish: async (event) => {
    const { workspaceId } = await requireNamedViewer(event);
    const outcome = await submit(event, "publish", async (client, field) => {
      await createNotes(client);
      return publishForm(client, field, { workspaceId: workspaceId ?? "", projectSlug });
    });
    if ("status" in outcome) return outcome;
    redirect(303, new URL(outcome.result?.url ?? "/", event.url).pathname);
  },
  key: (event) =>
    submit(event, "key", async (client) => {
      await createNotes(client);
      const preset = scopePresets.find(({ id }) => id === "publish");
      const { key } = await client.call("apiKey.create", {
        name: firstRunTexts().keyName,
        scopes: [...(preset?.scopes ?? [])],
      });
      return { key: key ?? "" };
    }),
};
