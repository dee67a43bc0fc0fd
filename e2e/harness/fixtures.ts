// The fixtures of the cases (contract/test/fixtures.ts) on an instance in a separate process, with cookies and an artifact that
// has a file.
import type { Client } from "@plinth/contract/client";
import type { Output } from "@plinth/contract/registry";
import { scopes, type Scope } from "@plinth/contract/scopes";
import type { Fixtures as CaseFixtures } from "@plinth/contract/test/case";
import { createFixtures as createCaseFixtures, emptyFile, fileBeside } from "@plinth/contract/test/fixtures";

import { contentBytes } from "./content-bytes.ts";
import type { Instance } from "./instance.ts";
import { accessToken, askConsent, userCode } from "./oauth.ts";
import { clientOf, createArtifact, createKey, createPerson, fresh, signIn, type Person } from "./people.ts";
import { trackSecret } from "./tracked-secrets.ts";

export interface Fixtures extends CaseFixtures {
  readonly instance: Instance;
  readonly anyone: Client;
  readonly owner: Person;
  readonly viewer: Person;
  readonly stranger: Person;
  readonly project: Output<"project.create">;
  /** The session cookie of the owner; likewise of the stranger. */
  readonly session: string;
  readonly strangerSession: string;
  /** With a file beside its latest version. */
  readonly filed: Output<"artifact.create">;
}

export async function createFixtures(instance: Instance): Promise<Fixtures> {
  const { origin, operatorToken } = instance;
  const made = await createCaseFixtures({
    unique: fresh,
    secret: trackSecret<string>,
    maxContentBytes: contentBytes,
    clientOf: (token) => clientOf(origin, token),
    operator: { token: operatorToken, client: clientOf(origin, operatorToken) },
    account: (plan) => createPerson(instance, plan),
    browserOf: async ({ userId }) => {
      const token = await signIn(instance, userId);
      return { token, client: clientOf(origin, token) };
    },
    consentQuery: ({ token }) => askConsent(instance, token, ["artifacts:read"]),
    userCode: () => userCode(instance, ["artifacts:read", "artifacts:share"]),
    commandLine: async (browser) => {
      const token = await accessToken(instance, browser.token, ["artifacts:read", "artifacts:create"]);
      return { token, client: clientOf(origin, token) };
    },
  });
  const files = [{ path: fileBeside, sha256: emptyFile }];
  return {
    ...made,
    instance,
    anyone: clientOf(origin),
    session: made.ownerBrowser.token,
    strangerSession: made.strangerBrowser.token,
    filed: await createArtifact(made.owner, made.project.slug, { files }),
  };
}

/** A key of the owner with every scope except the given one. */
export function keyWithout(fixtures: Fixtures, scope: Scope): Promise<string> {
  return createKey(
    fixtures.instance,
    fixtures.owner.userId,
    scopes.filter((name) => name !== scope),
  );
}
