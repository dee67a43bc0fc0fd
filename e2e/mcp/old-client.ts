// The client of the SDK that knows nothing of the revision of 2026, as programs have it that were written before.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";

export const olderRevisions = ["2025-11-25", "2025-06-18", "2025-03-26"] as const;

export interface Seen {
  readonly method: string;
  readonly status: number;
  readonly contentType: string | null;
}

export interface OldClient {
  readonly client: Client;
  /** Each exchange so far. */
  readonly seen: readonly Seen[];
  /** What went wrong beside an answer, as the stream that a client opens once it is connected. */
  readonly faults: readonly Error[];
}

/** Connects with a bearer token; it asks for its newest revision unless told. */
export async function connectOld(origin: string, token: string, revision?: string): Promise<OldClient> {
  const seen: Seen[] = [];
  const faults: Error[] = [];
  const transport = new Asking(new URL(`${origin}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    fetch: async (url, init) => {
      const answer = await fetch(url, init);
      const contentType = answer.headers.get("content-type");
      seen.push({ method: init?.method ?? "GET", status: answer.status, contentType });
      return answer;
    },
  });
  transport.revision = revision;
  const client = new Client({ name: "old-client", version: "1.0" });
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is no event target
  client.onerror = (error) => faults.push(error);
  await client.connect(transport);
  return { client, seen, faults };
}

/** The SDK asks for its newest revision alone; programs built with an earlier one ask for what was newest then. */
class Asking extends StreamableHTTPClientTransport {
  revision: string | undefined;

  override send(...[message, options]: Parameters<StreamableHTTPClientTransport["send"]>): Promise<void> {
    return super.send(Array.isArray(message) ? message : this.#older(message), options);
  }

  #older(message: JSONRPCMessage): JSONRPCMessage {
    if (this.revision === undefined || !("method" in message) || message.method !== "initialize") return message;
    return { ...message, params: { ...message.params, protocolVersion: this.revision } };
  }
}
