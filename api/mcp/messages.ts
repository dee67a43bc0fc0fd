// Reads JSON-RPC messages before the protocol's library does: the methods, the program, the revision. The library
// checks everything else.
import {
  CLIENT_INFO_META_KEY,
  DEFAULT_NEGOTIATED_PROTOCOL_VERSION,
  PROTOCOL_VERSION_META_KEY,
} from "@modelcontextprotocol/server";
import { isRecord } from "@plinth/platform/malformed";

/** Characters of a program's name and version that are kept. */
const clientLength = 100;

type Message = Readonly<Record<string, unknown>>;

/** The messages of a body: one, or a batch. Values that are no objects are omitted. */
export const messagesIn = (body: unknown): readonly Message[] => (Array.isArray(body) ? body : [body]).filter(isRecord);

const memberOf = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined);

const metaOf = (message: Message): unknown => memberOf(message["params"], "_meta");

/** The name of the called tool. */
export const toolOf = ({ method, params }: Message): string | null => {
  const name = method === "tools/call" ? memberOf(params, "name") : null;
  return typeof name === "string" ? name : null;
};

/** Makes an object of the arguments `null` of each call, as models write where there are none. */
export function withArguments(body: unknown): void {
  for (const { method, params } of messagesIn(body))
    if (method === "tools/call" && isRecord(params) && params["arguments"] === null)
      Object.assign(params, { arguments: {} });
}

/** The caller's `user-agent`, where its message does not identify it; a claim, not proof. */
export const agentOf = (headers: Headers): string | undefined => shown(headers.get("user-agent")?.split(" ")[0] ?? "");

/** The program that the message names; clients from before 2026 name it only when they connect. */
export function programOf(messages: readonly Message[]): string | undefined {
  const [message = {}] = messages;
  const info = memberOf(metaOf(message), CLIENT_INFO_META_KEY) ?? memberOf(message["params"], "clientInfo");
  const [name, version] = [memberOf(info, "name"), memberOf(info, "version")];
  if (typeof name !== "string" || !/[^\p{C}\p{Z}]/u.test(name)) return undefined;
  return shown(typeof version === "string" ? `${name} ${version}` : name);
}

/** Nothing to remove, and short enough, like nearly all names. */
const plainName = /^[!-~](?:[ -~]{0,98}[!-~])?$/;

function shown(said: string): string | undefined {
  if (plainName.test(said)) return said;
  const plain = said
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .trim();
  return plain === ""
    ? undefined
    : [...plain.slice(0, clientLength * 2)].slice(0, clientLength).join("").toWellFormed();
}

/**
 * Whether a body claims to be of the era in which each message names its revision, correctly or not. Such a message
 * never belongs to the earlier era, and otherwise the library needs as long as for a call to decide that.
 */
export const claimsRevision = (body: unknown): boolean =>
  isRecord(body) && memberOf(metaOf(body), PROTOCOL_VERSION_META_KEY) !== undefined;

/** The revision of the response; clients from before 2025-06-18 do not send it with each request. */
export function revisionOf(messages: readonly Message[], headers: Headers): string {
  const [message = {}] = messages;
  const claimed =
    memberOf(metaOf(message), PROTOCOL_VERSION_META_KEY) ??
    (message["method"] === "initialize" ? memberOf(message["params"], "protocolVersion") : undefined) ??
    headers.get("mcp-protocol-version");
  return typeof claimed === "string" && /^\d{4}-\d\d-\d\d$/.test(claimed)
    ? claimed
    : DEFAULT_NEGOTIATED_PROTOCOL_VERSION;
}
