// Writes a corrupted request as bytes, and says what its answer must be. Knows the registry's framing of inputs and the
// conventions of docs/reference/contract.md §2.
import { bodyFields, hasBody, pathFields, type Operation } from "@plinth/contract/operation";

import { credentialHeaders, faultsOf } from "../harness/http.ts";
import type { Corruption } from "./corruption.ts";
import type { WireAnswer } from "./wire.ts";

export interface Written {
  readonly method: string;
  readonly path: string;
  readonly bytes: Uint8Array;
  /** The one wrong field, if the answer has to name it. */
  readonly field: string | null;
  /** Whether the answer can be that the instance sells no plans. */
  readonly mayBuy: boolean;
}

export interface Destination {
  /** The host of PUBLIC_URL; any other name of the loopback is redirected. */
  readonly host: string;
  readonly token: string;
  /** The headers that the operation reads. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A valid request with one defect. */
export function write(
  op: Operation,
  input: Readonly<Record<string, unknown>>,
  corruption: Corruption,
  to: Destination,
): Written {
  const { host, token } = to;
  const method = corruption.kind === "method" ? corruption.method : op.method;
  const path = writePath(op, input, corruption);
  const headers = new Map<string, string>([["host", host], ...Object.entries(to.headers)]);
  for (const [name, value] of Object.entries(credentialHeaders(`http://${host}`, token))) headers.set(name, value);
  let body: Buffer = Buffer.alloc(0);
  if (corruption.kind === "body") {
    body = Buffer.from(corruption.base64, "base64");
    for (const [name, value] of Object.entries(corruption.headers)) headers.set(name, value);
  } else if (hasBody(op)) {
    body = Buffer.from(writeBody(op, input, corruption));
    headers.set("content-type", "application/json");
  }
  if (corruption.kind === "header") headers.set(corruption.name, corruption.value);
  if (body.length > 0 || method === "POST") headers.set("content-length", String(body.length));
  const head = [`${method} ${path} HTTP/1.1`, ...[...headers].map(([name, value]) => `${name}: ${value}`), "", ""].join(
    "\r\n",
  );
  const bytes = Buffer.concat([Buffer.from(head, "latin1"), body]);
  return { method, path, bytes, field: fieldOf(op, corruption), mayBuy: op.errors.includes("billing_unavailable") };
}

function writePath(op: Operation, input: Readonly<Record<string, unknown>>, corruption: Corruption): string {
  const filled = pathFields(op).reduce((path, name) => {
    const value =
      corruption.kind === "path" && corruption.name === name
        ? corruption.value
        : encodeURIComponent(String(input[name]));
    return path.replace(`:${name}`, () => value);
  }, op.path as string);
  const path = corruption.kind === "prefix" ? filled.replace("/api/", () => corruption.path) : filled;
  const query = hasBody(op) ? [] : bodyFields(op).filter((name) => input[name] !== undefined);
  const pairs = query
    .filter((name) => !(corruption.kind === "query" && corruption.name === name))
    .map((name) => `${name}=${encodeURIComponent(String(input[name]))}`);
  if (corruption.kind === "query") pairs.push(...corruption.values.map((value) => `${corruption.name}=${value}`));
  return pairs.length === 0 ? path : `${path}?${pairs.join("&")}`;
}

const marker = "@@corrupted@@";

function writeBody(op: Operation, input: Readonly<Record<string, unknown>>, corruption: Corruption): string {
  const body = Object.fromEntries(
    bodyFields(op).flatMap((name) => (input[name] === undefined ? [] : [[name, input[name]]])),
  );
  if (corruption.kind !== "field" && corruption.kind !== "json") return JSON.stringify(body);
  const value = place(body, corruption.at, corruption.json === null ? undefined : marker);
  return JSON.stringify(value).replace(JSON.stringify(marker), () => corruption.json ?? "");
}

/** A copy with the value at a path; undefined omits the member. */
export function place(whole: unknown, at: readonly (string | number)[], value: unknown): unknown {
  const [step, ...rest] = at;
  if (step === undefined) return value;
  if (typeof step === "number")
    return [rest.length === 0 ? value : place(Array.isArray(whole) ? whole[step] : {}, rest, value)];
  const members = Object.entries(typeof whole === "object" && whole !== null ? whole : {}).filter(
    ([name]) => name !== step,
  );
  const inside = typeof whole === "object" && whole !== null ? Reflect.get(whole, step) : undefined;
  const placed = place(inside, rest, value);
  // fromEntries creates even a member `__proto__`.
  return Object.fromEntries(placed === undefined ? members : [...members, [step, placed]]);
}

function fieldOf(op: Operation, corruption: Corruption): string | null {
  if (corruption.kind === "field") return corruption.at.join(".");
  return corruption.kind === "query" ? decodeName(corruption.name) : null;
}

const decodeName = (name: string): string | null => (name === "%00" ? null : decodeURIComponent(name));

/** How the answer breaks the contract; empty if it does not. */
export function faultsIn(written: Written, answer: WireAnswer): string[] {
  const faults: string[] = [];
  if (answer.status >= 500 && !(written.mayBuy && sellsNothing(answer))) faults.push(`a ${answer.status}`);
  // Paths that the server does not take for the API belong to the web app, which answers with pages.
  const isApi =
    URL.canParse(written.path, "http://x") && /^\/api(?:\/|$)/.test(new URL(written.path, "http://x").pathname);
  if (!isApi) return faults;
  if ((answer.headers.get("content-type") ?? "").startsWith("text/html")) faults.push("an HTML page");
  if (!answer.headers.has("x-request-id")) faults.push("no x-request-id");
  if (answer.status >= 400 && written.method !== "HEAD") faults.push(...faultsOf(answer));
  if (faults.length === 0 && written.field !== null) faults.push(...unnamed(written.field, answer));
  return faults;
}

/** The refusal of an instance without Stripe is not a defect of the request; HEAD has it without its code. */
const sellsNothing = ({ status, text, headers }: WireAnswer): boolean =>
  status === 503 && headers.get("retry-after") === "3600" && /^$|"code":"billing_unavailable"/.test(text);

/** The wrong field is named, and no other. */
function unnamed(field: string, answer: WireAnswer): string[] {
  if (answer.status !== 400) return [`${field} is wrong, yet the answer is ${answer.status}`];
  const { errors = [] } = JSON.parse(answer.text) as { errors?: { path: string }[] };
  const named = errors.some(({ path }) => path === field || path.startsWith(`${field}.`));
  return named ? [] : [`${field} is not named in ${JSON.stringify(errors)}`];
}
