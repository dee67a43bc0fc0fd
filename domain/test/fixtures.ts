// The fixtures of the cases (contract/test/fixtures.ts) on the instance of a test context, called inside the test.
import { commandLineClient } from "@plinth/contract/oauth";
import type { Caller as CaseCaller } from "@plinth/contract/test/case";
import { createFixtures } from "@plinth/contract/test/fixtures";

import { connectCommandLine } from "../credentials/test/clients.ts";
import { authorize } from "../identity/oauth/authorize.ts";
import { startDevice } from "../identity/oauth/endpoints.ts";
import { operatorToken, type Caller, type Setup } from "./context.ts";

export type InProcessFixtures = Awaited<ReturnType<typeof createInProcessFixtures>>;

export async function createInProcessFixtures(setup: Setup) {
  /** Callers that a token alone does not name: sessions and OAuth clients. */
  const others = new Map<string, Caller>();
  const asOf = (token: string): Caller => others.get(token) ?? token;
  const clientOf = (token: string): CaseCaller["client"] => ({
    call: (name, input) => setup.call(name, input, { as: asOf(token) }),
  });
  const callerOf = (token: string, as: Caller = token): CaseCaller => {
    if (as !== token) others.set(token, as);
    return { token, client: clientOf(token) };
  };
  const sessionOf = (browser: CaseCaller) => {
    const as = asOf(browser.token);
    if (typeof as === "string" || as.kind !== "session") throw new Error("a browser was expected");
    return as;
  };
  const userIds = new Map<string, string>();
  const fixtures = await createFixtures({
    unique: setup.name,
    secret: (value) => value,
    maxContentBytes: setup.instance.config.maxContentBytes,
    operator: callerOf(operatorToken),
    clientOf,
    account: async (plan) => {
      const person = await setup.person(plan === undefined ? {} : { plan });
      return { ...person, email: `${person.username}@example.org`, client: clientOf(person.token) };
    },
    browserOf: async ({ userId }) => {
      const token = `session of ${setup.name("browser")}`;
      userIds.set(token, userId);
      return callerOf(token, await setup.session(userId));
    },
    consentQuery: async (browser) => {
      const query = new URLSearchParams({
        response_type: "code",
        client_id: commandLineClient.clientId,
        redirect_uri: commandLineClient.redirectUris[0] ?? "",
        scope: "artifacts:read",
        code_challenge: "A".repeat(43),
        code_challenge_method: "S256",
      });
      const page = await authorize(setup.instance, query.toString(), sessionOf(browser).token);
      return new URL(page, setup.instance.config.publicUrl).search.slice(1);
    },
    userCode: async () => {
      const form = new URLSearchParams({
        client_id: commandLineClient.clientId,
        scope: "artifacts:read artifacts:share",
      });
      const started = await startDevice(setup.instance, { form, authorization: null });
      return ((await started.json()) as { readonly user_code: string }).user_code;
    },
    commandLine: async (browser) => {
      const { caller, accessToken } = await connectCommandLine(setup, userIds.get(browser.token) ?? "");
      return callerOf(accessToken, caller);
    },
  });
  return { ...fixtures, asOf };
}
