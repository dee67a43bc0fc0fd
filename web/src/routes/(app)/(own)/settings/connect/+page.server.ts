// What connects which client, and which programs have spoken for the visitor already.
import { connectingClients, mcpAddress } from "@plinth/contract/guides/connect";
import { installLine, npmLine } from "@plinth/contract/guides/install";
import { credentialWords } from "#lib/credential-words.ts";
import { clientOf, orSignIn } from "#lib/server/api.ts";
import { platformOf } from "#lib/server/platform.ts";
import type { PageServerLoad } from "./$types";

/** More are under Agents and API keys. */
const shownAtOnce = 5;

export const load: PageServerLoad = async (event) => {
  event.depends("plinth:mcp-connections");
  const { publicUrl } = platformOf(event);
  const { connections } = await orSignIn(event, clientOf(event).call("mcp.listConnections", { limit: shownAtOnce }));
  return {
    publicUrl,
    address: mcpAddress(publicUrl),
    clients: connectingClients(publicUrl),
    install: installLine(publicUrl),
    npm: npmLine(publicUrl),
    /** By the same clock as the times below. */
    askedAt: Date.now(),
    connections: connections.map(({ credentialId, kind, name, program, lastSpokeAt }) => ({
      id: credentialId,
      program: program ?? name,
      credential: `${credentialWords[kind]} “${name}”`,
      lastSpokeAt,
    })),
  };
};
