// MCP over a test service, message by message like a client of either era.
import { problemMeta } from "../refusal.ts";
import { createService, type Service } from "../../test/service.ts";

export const modernRevision = "2026-07-28";
export const olderRevisions = ["2025-11-25", "2025-06-18", "2025-03-26"] as const;
export type Revision = typeof modernRevision | (typeof olderRevisions)[number];

export interface Sent {
  readonly as?: string;
  readonly headers?: Record<string, string>;
  readonly id?: string | number;
  readonly revision?: Revision;
  /** Of the client. */
  readonly capabilities?: object;
  readonly progressToken?: string | number;
}

export interface RpcAnswer {
  readonly jsonrpc: "2.0";
  readonly id: string | number | null;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface ToolAnswer {
  readonly content: readonly { readonly type: string; readonly text?: string; readonly uri?: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
  readonly _meta?: Record<string, unknown>;
}

let ids = 1000;

/** Sends messages of a revision to a service. */
export function speakTo(service: Pick<Service, "ask">) {
  function send(method: string, params: Record<string, unknown> = {}, sent: Sent = {}): Promise<Response> {
    const { as, id = ++ids, revision = modernRevision } = sent;
    const name = params["name"] ?? params["uri"];
    const isModern = revision === modernRevision;
    const meta = {
      "io.modelcontextprotocol/protocolVersion": revision,
      "io.modelcontextprotocol/clientInfo": { name: "test-client", version: "1.0" },
      "io.modelcontextprotocol/clientCapabilities": sent.capabilities ?? {},
      ...(sent.progressToken !== undefined && { progressToken: sent.progressToken }),
    };
    const headers: Record<string, string> = {
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": revision,
      ...(isModern && { "mcp-method": method }),
      ...(isModern && typeof name === "string" && { "mcp-name": name }),
      ...sent.headers,
    };
    const body = { jsonrpc: "2.0", id, method, params: isModern ? { ...params, _meta: meta } : params };
    return service.ask("POST", "/mcp", { body, headers, ...(as !== undefined && { as }) });
  }

  /** @throws where the response is an error of the protocol */
  async function ask(method: string, params: Record<string, unknown> = {}, sent: Sent = {}) {
    const { result, error } = (await (await send(method, params, sent)).json()) as RpcAnswer;
    if (result === undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  }

  const call = async (tool: string, given: Record<string, unknown> = {}, sent: Sent = {}): Promise<ToolAnswer> =>
    (await ask("tools/call", { name: tool, arguments: given }, sent)) as unknown as ToolAnswer;

  return { send, ask, call };
}

/** The problem of a tool that failed. @throws where it did not */
export function problemOf({ isError, structuredContent, _meta = {} }: ToolAnswer): Record<string, unknown> {
  if (!isError || structuredContent !== undefined) throw new Error("a refusal was expected");
  return _meta[problemMeta] as Record<string, unknown>;
}

/** A service with one person, and MCP messages to it. The test file closes the service. */
export async function createMcpService() {
  const service = await createService();
  const owner = await service.setup.person();
  return { service, mcp: speakTo(service), owner, as: owner.token };
}
