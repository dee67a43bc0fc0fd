// An artifact's title, description and address, and its deletion.
import { pageLimit } from "@plinth/contract/limits";
import type { Artifact } from "@plinth/contract/schemas/artifact";
import { redirect } from "@sveltejs/kit";
import { clientOf, orErrorPage } from "#lib/server/api.ts";
import { copyCommandsOf } from "#lib/server/copy-commands.ts";
import { managedArtifact, shownArtifact } from "#lib/server/managed-artifact.ts";
import { platformOf } from "#lib/server/platform.ts";
import { notConfirmed, submit } from "#lib/server/submit.ts";
import { artifactSettingsTexts } from "#messages/artifact-settings.ts";
import type { Actions, PageServerLoad } from "./$types";

export const load: PageServerLoad = async (event) => {
  const as = copyCommandsOf(event);
  const text = artifactSettingsTexts();
  const client = clientOf(event);
  const [{ artifactId, title, description, permissions, formerAddresses = [] }, { projects }] = await orErrorPage(
    Promise.all([
      shownArtifact(event),
      client.call("workspace.projects", { workspaceId: event.params.owner, limit: pageLimit.max }),
    ]),
  );
  return {
    description,
    copyAs: {
      details: [as(text.changeDetails, "artifact.patch", { artifactId, title, description })],
      delete: [as(text.deleteArtifact, "artifact.delete", { artifactId })],
    },
    mayDelete: permissions.delete,
    host: new URL(platformOf(event).publicUrl).host,
    projects: projects.map(({ slug, title }) => ({ slug, title })),
    formerAddresses,
    hasMoved: event.url.searchParams.has("moved"),
  };
};

const settingsOf = ({ ownerUsername, projectSlug, slug }: Artifact) =>
  `/${ownerUsername}/${projectSlug}/${slug}/settings`;

export const actions: Actions = {
  details: async (event) => {
    const { artifactId } = await managedArtifact(event);
    return submit(event, "details", async (client, field) => {
      const description = field.text("description");
      await client.call("artifact.patch", {
        artifactId,
        title: field.text("title"),
        description: description === "" ? null : description,
      });
    });
  },

  address: async (event) => {
    const artifact = await managedArtifact(event);
    const outcome = await submit(event, "address", async (client, field) =>
      settingsOf(
        await client.call("artifact.patch", {
          artifactId: artifact.artifactId,
          slug: field.text("slug"),
          projectSlug: field.text("projectSlug"),
        }),
      ),
    );
    if ("status" in outcome) return outcome;
    if (outcome.result === undefined || outcome.result === settingsOf(artifact)) return { action: "address" as const };
    redirect(303, `${outcome.result}?moved`);
  },

  release: async (event) => {
    const { artifactId } = await managedArtifact(event);
    return submit(event, "release", async (client, field) => {
      const address = field.text("address");
      await client.call("artifact.releaseFormerAddress", { artifactId, address });
      return address;
    });
  },

  delete: async (event) => {
    const { artifactId, slug } = await managedArtifact(event);
    const outcome = await submit(event, "delete", async (client, field) => {
      const text = artifactSettingsTexts();
      if (field.text("confirm") !== slug)
        throw notConfirmed(event, text.deletionNotConfirmed, text.notTheSlug({ slug }));
      await client.call("artifact.delete", { artifactId });
    });
    if ("status" in outcome) return outcome;
    redirect(303, "/settings/deleted?gone");
  },
};
