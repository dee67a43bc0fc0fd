// The protocol's requirements for an answer, independently of the server: statuses and codes from the two transports'
// documents (2026-07-28, and 2025-11-25 and before), as sets where they leave a choice.
import { requireNoSecret } from "../harness/tracked-secrets.ts";
import { faultsOf } from "../harness/http.ts";
import type { WireAnswer } from "./wire.ts";

/** The expected answer. */
export interface Expected {
  readonly statuses: readonly number[];
  /** JSON-RPC error codes, of which the answer has one; without them the answer must not be an error. */
  readonly codes?: readonly number[];
  /**
   * Problem codes, in the HTTP answer or in the tool's result; `any` for any refusal, `maybe` for a refusal or none.
   */
  readonly problem?: readonly string[] | "any" | "maybe";
  /** A field that the tool's problem has to name. */
  readonly field?: string;
  /** The ID of the answered message; undefined if the message has no readable one. */
  readonly id?: string | number;
  /** No message is returned. */
  readonly isSilent?: true;
}

export const ok = { statuses: [200] } as const;
export const parseError = { statuses: [400], codes: [-32_700] } as const;
export const invalidRequest = { statuses: [400], codes: [-32_600] } as const;
export const invalidParams = { statuses: [200, 400], codes: [-32_602] } as const;
/** The status of an unknown method is new in 2026. */
export const methodNotFound = (isModern: boolean) => ({ statuses: [isModern ? 404 : 200], codes: [-32_601] }) as const;
export const headerMismatch = { statuses: [400], codes: [-32_020] } as const;
export const accepted = { statuses: [202], isSilent: true } as const;
/** Headers that the transport refuses without a protocol code. */
export const transportRefuses = (status: number) => ({ statuses: [status], codes: [-32_000] }) as const;
export const problem = (status: number, ...codes: string[]) => ({ statuses: [status], problem: codes }) as const;

interface Rpc {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly result?: { readonly isError?: unknown; readonly _meta?: Readonly<Record<string, unknown>> };
  readonly error?: { readonly code?: unknown; readonly message?: unknown };
}

interface Said {
  readonly status?: number;
  readonly code?: string;
  readonly errors?: readonly { readonly path: string }[];
}

/** How an answer differs from the expected one; empty if it does not. */
export function faultsOfAnswer(expected: Expected, answer: WireAnswer): string[] {
  const { status, headers, text } = answer;
  if (status >= 500) return [`a ${status}`];
  const faults: string[] = [];
  if (!headers.has("x-request-id")) faults.push("no x-request-id");
  if (!expected.statuses.includes(status)) faults.push(`${status}, not ${expected.statuses.join(" or ")}`);
  if (/\n\s+at |node_modules|\.ts:\d+/.test(text)) faults.push("it shows a stack trace");
  if (expected.codes !== undefined || expected.problem !== undefined) requireNoSecret("a refusal", text);
  const type = headers.get("content-type") ?? "";
  if (expected.isSilent || status === 204) return text === "" ? faults : [...faults, "something is said"];
  if (type.startsWith("text/event-stream")) return faults;
  if (type.startsWith("application/problem+json"))
    return [...faults, ...faultsOf(answer), ...wrongProblem(expected, text)];
  if (!type.startsWith("application/json")) return [...faults, `content-type is ${JSON.stringify(type)}`];
  const parsed: unknown = JSON.parse(text);
  const messages = (Array.isArray(parsed) ? parsed : [parsed]) as Rpc[];
  if (messages.length === 0) faults.push("an empty batch");
  return [...faults, ...messages.flatMap((message) => wrongMessage(expected, message))];
}

function wrongMessage(expected: Expected, { jsonrpc, id, result, error }: Rpc): string[] {
  const faults: string[] = [];
  if (jsonrpc !== "2.0") faults.push("no JSON-RPC message");
  if ((result === undefined) === (error === undefined)) faults.push("neither a result nor an error");
  if (expected.id !== undefined && id !== expected.id) faults.push(`it answers to ${JSON.stringify(id)}`);
  if (error !== undefined) {
    const { code, message } = error;
    if (typeof message !== "string" || message === "") faults.push("the error says nothing");
    if (!(expected.codes ?? []).some((one) => one === code)) faults.push(`the error is ${String(code)}`);
    return faults;
  }
  if (expected.codes !== undefined && expected.problem === undefined) return [...faults, "it is done"];
  const { isError, _meta: meta } = result ?? {};
  const said = isError === true ? JSON.stringify(meta?.["plinth/problem"] ?? {}) : null;
  return [...faults, ...(said === null ? notRefused(expected) : wrongProblem(expected, said))];
}

const notRefused = ({ problem: wanted }: Expected): string[] =>
  wanted === undefined || wanted === "maybe" ? [] : ["it is not refused"];

function wrongProblem({ problem: wanted, field }: Expected, text: string): string[] {
  if (wanted === undefined) return [`it is refused: ${text.slice(0, 300)}`];
  const { status = 500, code = "", errors = [] } = JSON.parse(text) as Said;
  if (status >= 500) return [`a fault of ours: ${text.slice(0, 300)}`];
  if (typeof wanted !== "string" && !wanted.includes(code))
    return [`the problem is ${code}, not ${wanted.join(" or ")}`];
  const isNamed = field === undefined || errors.some(({ path }) => path === field || path.startsWith(`${field}.`));
  return isNamed ? [] : [`${field ?? ""} is not named in ${JSON.stringify(errors)}`];
}
