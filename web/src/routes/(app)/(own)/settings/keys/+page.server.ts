// API keys: the person's own, and those of the workspaces that they administer.
import { clientOf, orSignIn } from "#lib/server/api.ts";
import { copyCommandsOf } from "#lib/server/copy-commands.ts";
import { newCredential } from "#lib/server/new-credential.ts";
import { pageInput } from "#lib/server/page-input.ts";
import { platformOf } from "#lib/server/platform.ts";
import { submit } from "#lib/server/submit.ts";
import { ownWorkspaces, workspaceNamer } from "#lib/server/workspaces.ts";
import { credentialTexts } from "#messages/credentials.ts";
import type { Actions, PageServerLoad } from "./$types";

export const load: PageServerLoad = async (event) => {
  const client = clientOf(event);
  const [{ apiKeys, nextCursor }, workspaces] = await orSignIn(
    event,
    Promise.all([client.call("apiKey.list", pageInput(event.url)), ownWorkspaces(event)]),
  );
  const nameOf = workspaceNamer(workspaces);
  const as = copyCommandsOf(event);
  const text = credentialTexts();
  const [first] = apiKeys;
  return {
    copyAs: [
      as(text.createAKey, "apiKey.create", { name: "ci", scopes: ["artifacts:read", "artifacts:create"] }),
      ...(first ? [as(text.revokeOne(first), "apiKey.revoke", { apiKeyId: first.apiKeyId })] : []),
    ],
    publicUrl: platformOf(event).publicUrl,
    workspaces,
    nextCursor,
    keys: apiKeys.map((key) => ({
      id: key.apiKeyId,
      name: key.name,
      known: `${key.start}…${key.lastFour}`,
      scopes: key.scopes,
      where: nameOf(key.workspaceId),
      createdBy: key.createdBy.label,
      createdAt: key.createdAt,
      expiresAt: key.expiresAt,
      lastUsedAt: key.lastUsedAt,
    })),
  };
};

export const actions: Actions = {
  create: (event) =>
    submit(event, "create", async (client, field) => {
      const { name, key } = await client.call("apiKey.create", newCredential(field));
      return { name, secret: key ?? "" };
    }),

  rotate: (event) =>
    submit(event, "rotate", async (client, field) => {
      const { name, key } = await client.call("apiKey.rotate", { apiKeyId: field.text("id") });
      return { name, secret: key ?? "" };
    }),

  revoke: (event) =>
    submit(event, "revoke", async (client, field) => {
      await client.call("apiKey.revoke", { apiKeyId: field.text("id") });
    }),
};
