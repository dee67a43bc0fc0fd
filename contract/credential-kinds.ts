// The credentials that a program may call with (docs/reference/contract.md §3 and §5), and the prefix of each
// identifier.
import type { IdPrefix } from "./ids.ts";

/** A person creates an `agent`, `plinth login` creates a `login`, and an OAuth client is connected as `oauth`. */
export const agentKinds = ["agent", "login", "oauth"] as const;

export const credentialKinds = ["api_key", ...agentKinds] as const;
export type CredentialKind = (typeof credentialKinds)[number];

export const credentialPrefix = (kind: CredentialKind): IdPrefix => (kind === "api_key" ? "key" : "agt");
