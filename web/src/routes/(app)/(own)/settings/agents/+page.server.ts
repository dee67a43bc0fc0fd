// The agents of a person: agent tokens, logins of the command line and clients connected by OAuth.
import { clientOf, orSignIn } from "#lib/server/api.ts";
import { copyCommandsOf } from "#lib/server/copy-commands.ts";
import { newAgent } from "#lib/server/new-credential.ts";
import { pageInput } from "#lib/server/page-input.ts";
import { platformOf } from "#lib/server/platform.ts";
import { submit } from "#lib/server/submit.ts";
import { ownWorkspaces, workspaceNamer } from "#lib/server/workspaces.ts";
import { credentialTexts } from "#messages/credentials.ts";
import type { Actions, PageServerLoad } from "./$types";

export const load: PageServerLoad = async (event) => {
  const client = clientOf(event);
  const [{ agents, nextCursor }, workspaces] = await orSignIn(
    event,
    Promise.all([client.call("agent.list", pageInput(event.url)), ownWorkspaces(event)]),
  );
  const nameOf = workspaceNamer(workspaces);
  const as = copyCommandsOf(event);
  const text = credentialTexts();
  const [first] = agents;
  return {
    copyAs: [
      as(text.createAToken, "agent.create", { name: "ci", scopes: ["artifacts:read", "artifacts:create"] }),
      ...(first ? [as(text.revokeOne(first), "agent.revoke", { agentId: first.agentId })] : []),
    ],
    publicUrl: platformOf(event).publicUrl,
    workspaces,
    nextCursor,
    agents: agents.map((agent) => ({
      id: agent.agentId,
      kind: agent.kind,
      name: agent.name,
      known:
        text.kinds[agent.kind] +
        (agent.client === null || agent.client === agent.name ? "" : ` · ${agent.client}`) +
        (agent.issuer === null
          ? ""
          : ` · ${text.trusts({ subject: agent.subject ?? "", issuer: new URL(agent.issuer).host })}`),
      scopes: agent.scopes,
      where: nameOf(agent.workspaceId),
      createdBy: agent.createdBy.label,
      createdAt: agent.createdAt,
      expiresAt: agent.expiresAt,
      lastUsedAt: agent.lastUsedAt,
    })),
  };
};

export const actions: Actions = {
  create: (event) =>
    submit(event, "create", async (client, field) => {
      const { name, token, agentId, subject } = await client.call("agent.create", newAgent(field));
      return { name, secret: token ?? null, agentId, subject };
    }),

  revoke: (event) =>
    submit(event, "revoke", async (client, field) => {
      await client.call("agent.revoke", { agentId: field.text("id") });
    }),
};
