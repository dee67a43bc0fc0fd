// The fields of the form for a key or a token, as the input of the API.
import type { Input } from "@plinth/contract/registry";
import { expiryOf } from "#lib/expiry-choices.ts";
import { knownScopes, scopePresets } from "#lib/scope-words.ts";
import type { Fields } from "./submit.ts";

/** The same for an agent, which can trust an issuer. */
export function newAgent(field: Fields): Input<"agent.create"> {
  const [issuer, subject] = [field.text("issuer"), field.text("subject")];
  return { ...newCredential(field), ...(issuer !== "" && { issuer }), ...(subject !== "" && { subject }) };
}

/** Of a form made by CredentialForm.svelte; the API refuses what is missing. */
export function newCredential(field: Fields): Input<"apiKey.create"> {
  const preset = scopePresets.find(({ id }) => id === field.text("preset"));
  const workspaceId = field.text("workspaceId");
  const expiresAt = expiryOf(field.text("expiry"));
  return {
    name: field.text("name"),
    scopes: preset === undefined ? knownScopes(field.all("scopes")) : [...preset.scopes],
    ...(workspaceId === "" ? {} : { workspaceId }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}
