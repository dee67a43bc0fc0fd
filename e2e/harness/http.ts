// One request and its whole answer. Knows the conventions of every answer (docs/reference/contract.md §2), but no
// operation.
import { expect } from "bun:test";

import type { Problem } from "@plinth/contract/errors";

import { requireNoSecret } from "./tracked-secrets.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly bytes: Uint8Array;
}

export interface Send {
  readonly method?: string;
  /** A bearer token, or a session's cookie (`name=value`), which is sent as the site's own pages send it. */
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string or bytes are sent unchanged, any other value as JSON. */
  readonly body?: unknown;
}

/** Sends one request; follows no redirect. */
export async function send(url: string, { method = "GET", token, headers = {}, body }: Send = {}): Promise<Answer> {
  const all = new Headers(headers);
  for (const [name, value] of Object.entries(credentialHeaders(url, token))) all.set(name, value);
  const init: RequestInit = { method, headers: all, redirect: "manual" };
  if (typeof body === "string") init.body = body;
  else if (body instanceof Uint8Array) init.body = Uint8Array.from(body);
  else if (body !== undefined) {
    if (!all.has("content-type")) all.set("content-type", "application/json");
    init.body = JSON.stringify(body);
  }
  return read(await fetch(url, init));
}

/** The headers of a bearer token or a session's cookie. */
export function credentialHeaders(url: string, token?: string): Record<string, string> {
  if (token === undefined) return {};
  return token.includes("=") ? { cookie: token, origin: new URL(url).origin } : { authorization: `Bearer ${token}` };
}

/** Reads a whole answer, or only the head of an endless one. Fails if an error shows a secret. */
export async function read(response: Response): Promise<Answer> {
  const goesOn = response.headers.get("content-type") === "text/event-stream";
  if (goesOn) await response.body?.cancel();
  const bytes = goesOn ? new Uint8Array() : new Uint8Array(await response.arrayBuffer());
  const text = new TextDecoder().decode(bytes);
  if (response.status >= 400) requireNoSecret("an error answer", text);
  return { status: response.status, headers: response.headers, text, bytes };
}

/** How an error answer breaks the contract: empty if it is a problem with this instance's request ID. */
export function faultsOf(answer: Pick<Answer, "status" | "headers" | "text">): string[] {
  const faults: string[] = [];
  const type = answer.headers.get("content-type") ?? "";
  if (!type.startsWith("application/problem+json")) return [`content-type is ${JSON.stringify(type)}`];
  const problem = parse(answer.text);
  if (problem === null) return ["the body is not a JSON object"];
  for (const member of ["type", "title", "detail", "code", "requestId"] as const) {
    if (typeof problem[member] !== "string" || problem[member] === "")
      faults.push(`${member} is ${JSON.stringify(problem[member])}`);
  }
  if (problem.status !== answer.status) faults.push(`status is ${answer.status}, in the body ${problem.status}`);
  if (problem.requestId !== answer.headers.get("x-request-id")) faults.push("requestId is not the x-request-id");
  if (/\n\s+at |node_modules|\.ts:\d+/.test(answer.text)) faults.push("it shows a stack trace");
  return faults;
}

/** The problem in an error answer. Fails the test if it is not one. */
export function problemOf(answer: Answer): Problem {
  expect(faultsOf(answer)).toEqual([]);
  return JSON.parse(answer.text) as Problem;
}

/** The JSON of an answer with the expected status. */
export function jsonOf<Result = Record<string, unknown>>(answer: Answer, status = 200): Result {
  if (answer.status !== status)
    throw new Error(`expected ${status}, got ${answer.status}: ${answer.text.slice(0, 2000)}`);
  return JSON.parse(answer.text) as Result;
}

function parse(text: string): Partial<Problem> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null; // reported as a fault by the caller
  }
}
