// The body of a request to the MCP endpoint, before the protocol's library has it: JSON, bounded in size, depth and
// number, or the protocol's own answer to what is no such thing.
import { isJsonContentType } from "@modelcontextprotocol/server";
import { AppError } from "@plinth/contract/errors";
import { bodyDepth, bodyValues } from "@plinth/contract/limits";

import { parsed, readJsonBytes, type Reading } from "../body.ts";
import { excessIn } from "../json-scan.ts";

/** Around the arguments of a tool: a batch, the message, its parameters. */
const levels = bodyDepth + 3;

/** @throws what the reading does */
export async function readJson(request: Request, reading: Reading): Promise<{ json: unknown } | Response> {
  if (!isJsonContentType(request.headers.get("content-type")))
    return rpcError(415, -32_000, "Unsupported Media Type: Content-Type must be application/json");
  const bytes = await readJsonBytes(request, reading);
  if (bytes === null) return rpcError(400, -32_700, "Parse error: there is no message");
  if (bytes instanceof AppError) return notRead(bytes);
  // The library takes a minute for a body of brackets alone.
  const excess = excessIn(bytes, { depth: levels, values: bodyValues });
  if (excess === "depth") return rpcError(400, -32_600, `Nested deeper than ${levels} levels`);
  if (excess === "values") return rpcError(400, -32_600, `More than ${bodyValues} values`);
  const read = parsed(bytes);
  return read instanceof AppError ? notRead(read) : { json: read.body };
}

const notRead = ({ status, message }: AppError): Response =>
  status === 413 ? rpcError(413, -32_000, message) : rpcError(400, -32_700, `Parse error: ${message}`);

/** An error of a message that was not understood so far as to have an identifier. */
export const rpcError = (status: number, code: number, message: string): Response =>
  Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
