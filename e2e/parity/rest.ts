// The scenario by REST: fetch with a key, or with a share token alone.
import { createClient, ProblemError, type Client } from "@plinth/contract/client";
import type { Input } from "@plinth/contract/registry";

import type { Instance } from "../harness/instance.ts";
import type { Participants } from "./participants.ts";
import { isText, nothing, type Action, type Outcome, type Surface } from "./surface.ts";

type Open = (baseUrl: string, headers: Readonly<Record<string, string>>) => Client;

const plain: Open = (baseUrl, headers) => createClient({ baseUrl, headers });

export function restSurface({ origin }: Instance, { people }: Participants, open = plain): Surface {
  const headersOf = ({ by, shareToken }: Action): Record<string, string> =>
    typeof by === "string" ? { authorization: `Bearer ${people[by].key}` } : { "x-share-token": shareToken ?? "" };
  return {
    name: "api",
    actorType: "api_key",
    perform: (action) => outcomeOf(open(origin, headersOf(action)), action),
    close: async () => {},
  };
}

/** Does an action through a client. */
export async function outcomeOf(
  client: Client,
  { operation, input }: Pick<Action, "operation" | "input">,
): Promise<Outcome> {
  try {
    const given = input as Input<typeof operation>;
    if (isText(operation)) return { result: await (await client.send(operation, given)).text() };
    const result: unknown = await client.call(operation, given);
    return result === null ? nothing : { result };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const { status, code } = error.problem;
    return { refused: { status, code } };
  }
}
