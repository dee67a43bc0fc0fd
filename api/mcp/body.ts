// The body of a request to the MCP endpoint, before the protocol's library has it: JSON, bounded in size and in depth,
// or the protocol's own answer to what is no such thing.
import { isJsonContentType } from "@modelcontextprotocol/server";
import { AppError } from "@plinth/contract/errors";
import { bodyDepth } from "@plinth/contract/limits";
import { deeperThan } from "@plinth/domain/input";

import { readBody } from "../body.ts";

/** Around the arguments of a tool: a batch, the message, its parameters. */
const levels = bodyDepth + 3;

export async function readJson(request: Request, maxContentBytes: number): Promise<{ json: unknown } | Response> {
  if (!isJsonContentType(request.headers.get("content-type")))
    return rpcError(415, -32_000, "Unsupported Media Type: Content-Type must be application/json");
  const read = await readBody(request, maxContentBytes);
  if (read instanceof AppError)
    return read.status === 413
      ? rpcError(413, -32_000, read.message)
      : rpcError(400, -32_700, `Parse error: ${read.message}`);
  if (read.body === undefined) return rpcError(400, -32_700, "Parse error: there is no message");
  // Whoever walks a text of brackets alone, as the library and every hash of it would, is at it for seconds.
  if (deeperThan(read.body, levels)) return rpcError(400, -32_600, `Nested deeper than ${levels} levels`);
  return { json: read.body };
}

/** An error of a message that was not understood so far as to have an identifier. */
export const rpcError = (status: number, code: number, message: string): Response =>
  Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
