// The body of a request to the MCP endpoint, before the protocol's library has it: JSON, bounded in size, depth and
// number, or the protocol's own answer to what is no such thing.
import { isJsonContentType } from "@modelcontextprotocol/server";
import { AppError } from "@plinth/contract/errors";
import { bodyDepth } from "@plinth/contract/limits";

import { readBody } from "../body.ts";

/** Around the arguments of a tool: a batch, the message, its parameters. */
const levels = bodyDepth + 3;
/** Texts, numbers, lists and objects of a body: what is long is long by its texts. */
const valuesAtMost = 10_000;

export async function readJson(request: Request, maxContentBytes: number): Promise<{ json: unknown } | Response> {
  if (!isJsonContentType(request.headers.get("content-type")))
    return rpcError(415, -32_000, "Unsupported Media Type: Content-Type must be application/json");
  const read = await readBody(request, maxContentBytes);
  if (read instanceof AppError)
    return read.status === 413
      ? rpcError(413, -32_000, read.message)
      : rpcError(400, -32_700, `Parse error: ${read.message}`);
  if (read.body === undefined) return rpcError(400, -32_700, "Parse error: there is no message");
  const excess = excessIn(read.body);
  return excess === null ? { json: read.body } : rpcError(400, -32_600, excess);
}

/** What is beyond any message: the library is at a body of brackets alone for a minute, whoever sent it. */
function excessIn(body: unknown): string | null {
  let values = 1;
  let compounds = [body].filter(isCompound);
  for (let level = 1; compounds.length > 0; level++) {
    if (level > levels) return `Nested deeper than ${levels} levels`;
    const inside = compounds.flatMap((compound) => Object.values(compound));
    values += inside.length;
    if (values > valuesAtMost) return `More than ${valuesAtMost} values`;
    compounds = inside.filter(isCompound);
  }
  return null;
}

const isCompound = (value: unknown): value is object => typeof value === "object" && value !== null;

/** An error of a message that was not understood so far as to have an identifier. */
export const rpcError = (status: number, code: number, message: string): Response =>
  Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
