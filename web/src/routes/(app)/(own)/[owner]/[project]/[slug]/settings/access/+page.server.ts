// The access of an artifact: the access object, always written whole (docs/reference/contract.md §3, "Access object").
import { addressesIn } from "@plinth/contract/addresses-in";
import type { Client } from "@plinth/contract/client";
import { entitlementsOf, planWith } from "@plinth/contract/plans";
import type { Access } from "@plinth/contract/schemas/artifact";
import { clientOf, orErrorPage } from "#lib/server/api.ts";
import { artifactNamed } from "#lib/server/artifact-at.ts";
import { copyCommandsOf } from "#lib/server/copy-commands.ts";
import { managedArtifact, shownArtifact } from "#lib/server/managed-artifact.ts";
import { submit } from "#lib/server/submit.ts";
import { viewerOf } from "#lib/server/viewer.ts";
import { viewAs } from "#lib/view-as.ts";
import { artifactAccessTexts } from "#messages/artifact-access.ts";
import { audienceSentence, reasonText } from "#messages/audience.ts";
import type { Actions, PageServerLoad } from "./$types";

export const load: PageServerLoad = async (event) => {
  const [artifact, viewer, audience] = await orErrorPage(
    Promise.all([
      shownArtifact(event),
      viewerOf(event),
      clientOf(event).call("access.audience", { artifactId: artifactNamed(event) }),
    ]),
  );
  // Null where it is not among the visitor's first hundred workspaces.
  const plan = viewer?.workspaces?.find((one) => one.workspaceId === artifact.workspaceId)?.plan ?? null;
  const { access, shareLinks, moreLinks } = audience;
  const words = { see: `${audienceSentence(audience, "see")}.`, edit: `${audienceSentence(audience, "edit")}.` };
  const lacksPlan = plan !== null && !entitlementsOf(plan).privateArtifacts;
  return {
    access,
    url: artifact.url,
    copyAs: [
      copyCommandsOf(event)(artifactAccessTexts().set, "access.update", { artifactId: artifact.artifactId, ...access }),
    ],
    words,
    views: viewAs(access, shareLinks, new Date(), moreLinks),
    plan,
    planNeeded: lacksPlan ? planWith("privateArtifacts") : null,
  };
};

export const actions: Actions = {
  visibility: async (event) => {
    const { artifactId } = await managedArtifact(event);
    return submit(event, "visibility", async (client, field) => {
      const publicView = field.text("visibility") === "public";
      // What can't be seen by all is edited by none of them.
      const publicEdit = publicView && field.text("publicEdit") === "on";
      await change(client, artifactId, () => ({ publicView, publicEdit }));
    });
  },

  add: async (event) => {
    const { artifactId } = await managedArtifact(event);
    return submit(event, "add", async (client, field) => {
      const given = addressesIn(field.text("emails"));
      await change(client, artifactId, ({ viewerEmails }) => ({ viewerEmails: [...viewerEmails, ...given] }));
    });
  },

  remove: async (event) => {
    const { artifactId } = await managedArtifact(event);
    return submit(event, "remove", async (client, field) => {
      const email = field.text("email");
      await change(client, artifactId, ({ viewerEmails }) => ({
        viewerEmails: viewerEmails.filter((listed) => listed !== email),
      }));
      return { email };
    });
  },

  explain: async (event) => {
    const { artifactId } = await managedArtifact(event);
    return submit(event, "explain", async (client, field) => {
      const { because, ...said } = await client.call("access.explain", { artifactId, email: field.text("email") });
      return { ...said, because: because.map((reason) => reasonText(reason)) };
    });
  },
};

/** A form knows a part of the access object; the rest is sent as it is at this moment. */
async function change(client: Client, artifactId: string, to: (current: Access) => Partial<Access>): Promise<void> {
  const current = await client.call("access.get", { artifactId });
  await client.call("access.update", { artifactId, ...current, ...to(current) });
}
