// A message to `/mcp` before it is written as bytes, so that a case can corrupt any part.
import { isModern, metaOf, type Fields, type Revision, type Right } from "./mcp-messages.ts";

export interface Draft {
  readonly revision: Revision;
  readonly right: Right;
  readonly id: number;
  /** A revoked key. */
  readonly spent: string;
  method: string;
  /** Header lines by name; a name can have several lines, or none. */
  readonly headers: Map<string, readonly string[]>;
  message: Record<string, unknown>;
  /** JSON text that replaces `mark` in the message; it can be invalid. */
  marked: string;
  /** Replaces the whole body. */
  body: Buffer | null;
}

/** Where `marked` is inserted. */
export const mark = "@@corrupted@@";

export interface Keys {
  readonly token: string;
  readonly spent: string;
}

export function draftOf(right: Right, revision: Revision, id: number, { token, spent }: Keys): Draft {
  const params = isModern(revision) ? { ...right.params, _meta: metaOf(revision) } : right.params;
  const headers = new Map<string, readonly string[]>([
    ["authorization", [`Bearer ${token}`]],
    ["content-type", ["application/json"]],
    ["accept", ["application/json, text/event-stream"]],
    ["mcp-protocol-version", [revision]],
  ]);
  const draft: Draft = {
    revision,
    right,
    id,
    spent,
    method: "POST",
    headers,
    message: { jsonrpc: "2.0", id, method: right.method, params },
    marked: "",
    body: null,
  };
  name(draft, right.method, right.params["name"] ?? right.params["uri"]);
  return draft;
}

/** Repeats method and name in headers, as messages of 2026 do. */
export function name({ revision, headers }: Draft, method: string, named?: unknown): void {
  if (!isModern(revision)) return;
  headers.set("mcp-method", [method]);
  if (typeof named === "string") headers.set("mcp-name", [named]);
}

export const paramsOf = ({ message }: Draft): Fields => message["params"] as Fields;

export function setParams(draft: Draft, params: Fields): void {
  draft.message = { ...draft.message, params: { ...paramsOf(draft), ...params } };
}

/** The current body of the draft. */
export const textOf = ({ message, marked }: Draft): string =>
  JSON.stringify(message).replace(JSON.stringify(mark), () => marked);

/** The request with the right length. */
export function bytesOf(draft: Draft, host: string): Uint8Array {
  const body = draft.body ?? Buffer.from(textOf(draft));
  const lines = [...draft.headers].flatMap(([header, values]) => values.map((value) => `${header}: ${value}`));
  const head = [`${draft.method} /mcp HTTP/1.1`, `host: ${host}`, ...lines, `content-length: ${body.length}`, "", ""];
  return Buffer.concat([Buffer.from(head.join("\r\n"), "latin1"), body]);
}
