// What the form for a key or a token says, as the API takes it.
import type { Input } from "@plinth/contract/registry";
import { expiryOf } from "#lib/expiry-choices.ts";
import { knownScopes, scopePresets } from "#lib/scope-words.ts";
import type { Fields } from "./submit.ts";

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
