// What a program may call with (docs/reference/contract.md §3 and §5), and how each identifier begins.
import type { IdPrefix } from "./ids.ts";

/** Made by a person, handed out by `plinth login`, or connected by OAuth. */
export const agentKinds = ["agent", "login", "oauth"] as const;
export type AgentKind = (typeof agentKinds)[number];

export const credentialKinds = ["api_key", ...agentKinds] as const;
export type CredentialKind = (typeof credentialKinds)[number];

export const credentialPrefix = (kind: CredentialKind): IdPrefix => (kind === "api_key" ? "key" : "agt");
