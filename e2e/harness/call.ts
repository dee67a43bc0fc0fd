// One call of an operation in the test fixtures, with any token. Knows how to fill an input, but no refusal.
import { hasBody, type Operation } from "@plinth/contract/operation";
import type { OperationName } from "@plinth/contract/registry";
import type { Attempt as CaseAttempt, Fields } from "@plinth/contract/test/case";
import { validCaller, validHeaders, validInput } from "@plinth/contract/test/cases";

import { send, type Answer } from "./http.ts";
import type { Fixtures } from "./fixtures.ts";

export type NamedOperation = Operation & { readonly name: OperationName };
export type { Fields };

/** A request that differs from the operation's valid one in the given parts. */
export interface Attempt extends Omit<CaseAttempt, "by"> {
  readonly token: string;
}

/** Sends an operation's request with a token; `changes` replace fields of the valid input. */
export const call = (
  fixtures: Fixtures,
  op: NamedOperation,
  token: string,
  changes: Fields = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> => tryOut(fixtures, op, { token, changes, headers });

/** Sends an attempt. */
export async function tryOut(fixtures: Fixtures, op: NamedOperation, attempt: Attempt): Promise<Answer> {
  const { token, changes, headers, file, stray = {} } = attempt;
  const input = { ...(await validInput(op.name, fixtures)), ...changes };
  const request = fixtures.anyone.request(op.name, input, {
    headers: { ...validHeaders(op.name, fixtures), ...headers },
  });
  const answered = { method: op.method, token, headers: Object.fromEntries(request.headers) };
  if (hasBody(op)) {
    const body = (await request.json()) as Fields;
    return send(request.url, { ...answered, body: JSON.stringify({ ...body, ...stray }) });
  }
  const url = new URL(request.url);
  for (const [name, value] of Object.entries(stray)) url.searchParams.set(name, String(value));
  return send(url.href, file === undefined ? answered : { ...answered, body: file });
}

/** The token of the caller for whom the operation succeeds. */
export const rightToken = async (fixtures: Fixtures, op: NamedOperation): Promise<string> =>
  (await validCaller(op.name, fixtures)).token;
