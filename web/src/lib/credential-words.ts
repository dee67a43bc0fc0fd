// What kinds of credentials are called.
import type { CredentialKind } from "@plinth/contract/credential-kinds";

export const credentialWords: Readonly<Record<CredentialKind, string>> = {
  api_key: "API key",
  agent: "agent token",
  login: "command-line login",
  oauth: "connected client",
};
