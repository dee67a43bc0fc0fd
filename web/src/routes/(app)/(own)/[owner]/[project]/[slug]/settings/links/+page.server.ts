// An artifact's share links: make one and see its address once, revoke.
import { shareRoles } from "@plinth/contract/schemas/share-link";
import { linkExpiryOf } from "#lib/expiry-choices.ts";
import { clientOf, orErrorPage } from "#lib/server/api.ts";
import { artifactNamed } from "#lib/server/artifact-at.ts";
import { copyCommandsOf } from "#lib/server/copy-commands.ts";
import { managedArtifact, shownArtifact } from "#lib/server/managed-artifact.ts";
import { pageInput } from "#lib/server/page-input.ts";
import { submit } from "#lib/server/submit.ts";
import { shareLinkTexts } from "#messages/share-links.ts";
import type { Actions, PageServerLoad } from "./$types";

export const load: PageServerLoad = async (event) => {
  const listed = clientOf(event).call("shareLink.list", { artifactId: artifactNamed(event), ...pageInput(event.url) });
  const [{ artifactId }, { shareLinks, nextCursor }] = await orErrorPage(Promise.all([shownArtifact(event), listed]));
  const as = copyCommandsOf(event);
  const text = shareLinkTexts();
  const live = shareLinks.find(({ revokedAt }) => revokedAt === null);
  return {
    nextCursor,
    copyAs: [
      as(text.create, "shareLink.create", { artifactId, role: "viewer", expiresAt: linkExpiryOf("30") }),
      ...(live ? [as(text.revokeOne, "shareLink.revoke", { shareLinkId: live.shareLinkId })] : []),
    ],
    links: shareLinks.map((link) => ({
      id: link.shareLinkId,
      role: link.role,
      label: link.label,
      createdBy: link.createdBy.label,
      createdAt: link.createdAt,
      expiresAt: link.expiresAt,
      revokedAt: link.revokedAt,
      lastUsedAt: link.lastUsedAt,
      useCount: link.useCount,
    })),
  };
};

/** A value that is no role goes on as it is, to be refused in the API's words. */
const roleOf = (text: string) => shareRoles.find((role) => role === text) ?? (text as "viewer");

export const actions: Actions = {
  create: async (event) => {
    const { artifactId } = await managedArtifact(event);
    return submit(event, "create", async (client, field) => {
      const label = field.text("label");
      const { url, role, expiresAt } = await client.call("shareLink.create", {
        artifactId,
        role: roleOf(field.text("role")),
        expiresAt: linkExpiryOf(field.text("expiry")),
        ...(label === "" ? {} : { label }),
      });
      return { url: url ?? "", role, label, expiresAt };
    });
  },

  revoke: async (event) => {
    await managedArtifact(event);
    return submit(event, "revoke", async (client, field) => {
      await client.call("shareLink.revoke", { shareLinkId: field.text("id") });
    });
  },
};
