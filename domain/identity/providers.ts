// The identity providers of the instance: as they are listed, and as better-auth is given them.
import type { Output } from "@plinth/contract/registry";
import type { Database } from "@plinth/db/connection";
import type { BetterAuthPlugin } from "better-auth";

import type { IdentityConfig } from "../config.ts";
import type { Context } from "../context.ts";
import { hasEmailSignIn } from "./email-sign-in.ts";
import { githubProvider } from "./github.ts";
import { oidcProvider } from "./oidc.ts";

export const listProviders = ({ config }: Context): Output<"identity.providers"> => ({
  providers: config.identity.providers.map(({ id, name }) => ({ id, name })),
  ...(hasEmailSignIn(config) && { emailSignIn: true }),
});

export const identityProviders = ({ providers }: IdentityConfig, db: Database) =>
  ({
    id: "identity-providers",
    init: () => ({
      context: {
        socialProviders: providers.map((config) =>
          config.kind === "github" ? githubProvider(config, db) : oidcProvider(config, db),
        ),
      },
    }),
  }) satisfies BetterAuthPlugin;
