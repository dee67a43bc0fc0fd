// The body of a request to the MCP endpoint before the protocol's library reads it: JSON, limited in size, depth and
// number, or the protocol's own error.
import { isJsonContentType } from "@modelcontextprotocol/server";
import { AppError } from "@plinth/contract/errors";
import { bodyDepth, bodyValues } from "@plinth/contract/limits";

import { readJson, type ReadJson, type Reading } from "../body.ts";

/** Around the arguments of a tool: a batch, the message, its parameters. */
const levels = bodyDepth + 3;

/** @throws the errors of the reading */
export async function readMessage(request: Request, reading: Reading): Promise<ReadJson | Response> {
  if (!isJsonContentType(request.headers.get("content-type")))
    return rpcError(415, -32_000, "Unsupported Media Type: Content-Type must be application/json");
  // The library takes a minute for a body of brackets alone.
  const read = await readJson(request, reading, { depth: levels, values: bodyValues });
  if (read === null) return rpcError(400, -32_700, "Parse error: there is no message");
  if (read instanceof AppError) return notRead(read);
  if ("json" in read) return read;
  if (read.excess === "depth") return rpcError(400, -32_600, `Nested deeper than ${levels} levels`);
  return rpcError(400, -32_600, `More than ${bodyValues} values`);
}

const notRead = ({ status, message }: AppError): Response =>
  status === 413 ? rpcError(413, -32_000, message) : rpcError(400, -32_700, `Parse error: ${message}`);

/** An error for a message whose identifier could not be read. */
export const rpcError = (status: number, code: number, message: string): Response =>
  Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
