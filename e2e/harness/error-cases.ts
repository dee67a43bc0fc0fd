// Requests that an operation refuses, by error code: each is correct except for the subject of the code, and the tests of each
// surface send it. The case of an operation has those that are particular to it; here are the codes that the same means cause
// in every operation. Codes that need another instance or a database failure (rate_limited, unavailable) are not here.
import { ProblemError } from "@plinth/contract/client";
import type { ErrorCode } from "@plinth/contract/errors";
import { registry } from "@plinth/contract/registry";
import { caseOf, validCaller } from "@plinth/contract/test/cases";

import { call, rightToken, type Attempt, type NamedOperation } from "./call.ts";
import { loginToken } from "./oauth.ts";
import { createKey, fresh } from "./people.ts";
import { keyWithout, type Fixtures } from "./fixtures.ts";

/** Prepares what the refusal needs; sending the attempt changes nothing, even repeatedly. */
type ErrorCase = (fixtures: Fixtures, op: NamedOperation) => Promise<Attempt>;

const wrongField: ErrorCase = async (fixtures, op) => ({
  token: await rightToken(fixtures, op),
  // An operation that ignores further parameters is refused for one that it knows.
  ...(op.foreignQuery === true ? { changes: { ...caseOf(op.name).invalid } } : { stray: { surprise: 1 } }),
});

/** The same idempotency key for another request: another body, or another path for a route without a body. */
const reusedKey: ErrorCase = async (fixtures, op) => {
  const token = await rightToken(fixtures, op);
  const headers = { "idempotency-key": fresh("idempotency") };
  const other = op.caller === "operator" ? registry["operator.createUser"] : registry["project.create"];
  await call(fixtures, other, token, {}, headers);
  return { token, headers };
};

const never = (prefix: string) => `${prefix}_${"0".repeat(26)}`;
const missing = {
  id: {
    ...{ artifactId: never("art"), projectId: never("prj"), workspaceId: never("wsp"), shareLinkId: never("shr") },
    ...{ invitationId: never("inv"), apiKeyId: never("key"), agentId: never("agt"), sessionId: never("ses") },
    token: "never handed out",
    userCode: "BBBB-BBBB",
  },
  path: { owner: "nobody-of-this-name" },
} as const;

const hidden: ErrorCase = async (fixtures, op) => {
  if (op.caller === "operator") return { token: fixtures.owner.token };
  const names = Object.keys(op.input.properties);
  const absent = names.includes("owner")
    ? missing.path
    : names.includes("projectSlug") && !names.includes("artifactId")
      ? { projectSlug: "nothing-here" }
      : missing.id;
  const nobody = op.name === "project.create" ? { ownerUsername: "nobody-of-this-name" } : absent;
  return {
    token: await rightToken(fixtures, op),
    changes: Object.fromEntries(Object.entries(nobody).filter(([name]) => names.includes(name))),
  };
};

const everywhere: { readonly [Code in ErrorCode]?: ErrorCase } = {
  invalid_request: wrongField,
  unauthenticated: async () => ({ token: "plk_not-a-token" }),
  insufficient_scope: async (fixtures, op) => ({
    token:
      op.credential === undefined
        ? await keyWithout(fixtures, op.scope ?? "artifacts:read")
        : await loginToken(fixtures.instance, fixtures.session, ["artifacts:read"]),
  }),
  not_found: hidden,
  idempotency_conflict: reusedKey,
  // An operation that only people can call, tried with a key that has every scope.
  forbidden: async (fixtures) => ({ token: fixtures.owner.token }),
  token_expired: async (fixtures) => ({ token: await expiredKey(fixtures) }),
};

/** The attempt that an operation refuses with the code. @throws where its case has none */
export async function attemptAt(fixtures: Fixtures, op: NamedOperation, code: ErrorCode): Promise<Attempt> {
  const refusal = caseOf(op.name).refused[code];
  if (refusal !== undefined) {
    const { by, ...attempt } = await refusal(fixtures, await validCaller(op.name, fixtures));
    return { ...attempt, token: by.token };
  }
  const provoke = everywhere[code];
  if (provoke === undefined)
    throw new Error(`${op.name} declares ${code}, which neither its case nor every operation has`);
  return provoke(fixtures, op);
}

/** A key that has expired; with more seconds if the machine takes that long to create it. */
async function expiredKey(fixtures: Fixtures, seconds = 1): Promise<string> {
  const expiresAt = new Date(Date.now() + seconds * 1_000);
  const fields = { userId: fixtures.owner.userId, name: fresh("short-lived"), scopes: ["artifacts:read" as const] };
  try {
    const made = await fixtures.operator.client.call("operator.createApiKey", {
      ...fields,
      expiresAt: expiresAt.toISOString(),
    });
    await Bun.sleep(expiresAt.getTime() - Date.now() + 200);
    return made.key ?? (await createKey(fixtures.instance, fixtures.owner.userId));
  } catch (error) {
    if (!(error instanceof ProblemError) || !/must lie ahead/.test(error.message) || seconds > 60) throw error;
    return expiredKey(fixtures, 2 * seconds);
  }
}
