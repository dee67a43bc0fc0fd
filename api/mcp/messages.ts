// What is read of JSON-RPC messages before the protocol's library has them: which methods, from which program, in which
// revision. Everything else about them is the library's to check.
import {
  CLIENT_INFO_META_KEY,
  DEFAULT_NEGOTIATED_PROTOCOL_VERSION,
  PROTOCOL_VERSION_META_KEY,
} from "@modelcontextprotocol/server";

/** Characters of a program's name and version that are kept. */
const clientLength = 100;

type Message = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Message =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The messages of a body: one, or a batch. Whatever is no object is left out. */
export const messagesIn = (body: unknown): readonly Message[] => (Array.isArray(body) ? body : [body]).filter(isObject);

const memberOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

const metaOf = (message: Message): unknown => memberOf(message["params"], "_meta");

/** Of the call of a tool: its name. */
export const toolOf = ({ method, params }: Message): string | null => {
  const name = method === "tools/call" ? memberOf(params, "name") : null;
  return typeof name === "string" ? name : null;
};

/** What the caller says it is where its message does not: by `user-agent`; claimed, not proven. */
export const agentOf = (headers: Headers): string | undefined => shown(headers.get("user-agent")?.split(" ")[0] ?? "");

/** What the message says of the program that sent it; clients of before 2026 say it when they connect alone. */
export function programOf(messages: readonly Message[]): string | undefined {
  const [message = {}] = messages;
  const info = memberOf(metaOf(message), CLIENT_INFO_META_KEY) ?? memberOf(message["params"], "clientInfo");
  const [name, version] = [memberOf(info, "name"), memberOf(info, "version")];
  if (typeof name !== "string" || !/[^\p{C}\p{Z}]/u.test(name)) return undefined;
  return shown(typeof version === "string" ? `${name} ${version}` : name);
}

/** Nothing to take out, and short enough; so are nearly all. */
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
 * Whether a body claims to be of the era that says with each message which revision it is of, rightly or not: such a
 * message is never one of the era before, and to tell so costs the library as much as a call does otherwise.
 */
export const claimsRevision = (body: unknown): boolean =>
  isObject(body) && memberOf(metaOf(body), PROTOCOL_VERSION_META_KEY) !== undefined;

/** The revision in which this request is answered; clients of before 2025-06-18 do not say it with each. */
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
