// The configuration that connects each client, and the programs that have already connected for the visitor.
import { connectingClients, type Snippet } from "@plinth/contract/guides/connect";
import { installLine, npmLine } from "@plinth/contract/guides/install";
import { clientOf, orSignIn } from "#lib/server/api.ts";
import { platformOf } from "#lib/server/platform.ts";
import { connectTexts, credentialTexts } from "#messages/credentials.ts";
import type { PageServerLoad } from "./$types";

/** More are under Agents and API keys. */
const shownAtOnce = 5;

export const load: PageServerLoad = async (event) => {
  event.depends("plinth:mcp-connections");
  const { publicUrl } = platformOf(event);
  const text = connectTexts();
  const { kinds } = credentialTexts();
  const { connections } = await orSignIn(event, clientOf(event).call("mcp.listConnections", { limit: shownAtOnce }));
  return {
    clients: connectingClients(publicUrl).map(({ id, name, href, snippets, isOutOfReach }) => ({
      id,
      name: name ?? text.otherClient,
      brief: text.clients[id].brief,
      link: href === undefined || name === null ? null : { href, label: text.addTo({ name }) },
      snippets: snippets.map((snippet) => ({ label: labelOf(snippet), code: snippet.code })),
      steps: [...text.clients[id].steps.split("\n"), ...(isOutOfReach ? [text.needsPublic] : [])],
    })),
    install: installLine(publicUrl),
    npm: npmLine(publicUrl),
    /** By the same clock as the times below. */
    askedAt: Date.now(),
    connections: connections.map(({ credentialId, kind, name, program, lastSpokeAt }) => ({
      id: credentialId,
      program: program ?? name,
      credential: text.credential({ kind: kinds[kind], name }),
      lastSpokeAt,
    })),
  };
};

function labelOf({ place, file = "" }: Snippet): string {
  const text = connectTexts();
  return place === "file" ? text.orFile({ file }) : text.places[place];
}
