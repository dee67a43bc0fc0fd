// One call of an operation in the test fixtures, with any token. Knows how to fill an input, but no refusal.
import { hasBody, type Operation } from "@plinth/contract/operation";
import type { OperationName } from "@plinth/contract/registry";

import { send, type Answer } from "./http.ts";
import { accessToken } from "./oauth.ts";
import { trackSecret } from "./tracked-secrets.ts";
import { validHeaders, validInput, type Fixtures } from "./fixtures.ts";

export type NamedOperation = Operation & { readonly name: OperationName };
export type Fields = Readonly<Record<string, unknown>>;

/** A request that differs from the operation's valid one in the given parts. */
export interface Attempt {
  readonly token: string;
  /** Replace fields of the valid input. */
  readonly changes?: Fields;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body of an operation that takes a file. */
  readonly file?: Uint8Array<ArrayBuffer>;
  /** Fields that the operation does not have. */
  readonly stray?: Fields;
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
export async function rightToken(fixtures: Fixtures, op: NamedOperation): Promise<string> {
  if (op.caller === "operator") return fixtures.instance.operatorToken;
  if (op.name === "agent.revokeCurrent") return agentToken(fixtures);
  if (op.name === "agent.exchangeLogin")
    return accessToken(fixtures.instance, fixtures.session, ["artifacts:read", "artifacts:create"]);
  return op.credential === undefined ? fixtures.owner.token : fixtures.session;
}

/** A new agent of the owner, for operations that delete it. */
async function agentToken({ owner }: Fixtures): Promise<string> {
  const { token } = await owner.client.call("agent.create", { name: "An agent", scopes: ["artifacts:read"] });
  return trackSecret(token ?? "");
}
