// Scopes in words, and the sets of them that people mostly want (docs/reference/contract.md §5).
import { scopes, type Scope } from "@plinth/contract/scopes";

/** What a holder may do, as the end of "It may …". */
export const scopeWords: Readonly<Record<Scope, string>> = {
  "artifacts:read": "read every artifact you can see, private ones too",
  "artifacts:create": "publish new artifacts and create projects",
  "artifacts:update": "publish new versions, restore old ones and change titles",
  "artifacts:delete": "delete artifacts and restore them",
  "artifacts:share": "create and revoke share links",
  "artifacts:access:read": "see who has access, and the history of it",
  "artifacts:access:write": "change who has access, down to making an artifact public",
  "agents:manage": "create and revoke tokens for agents, and manage workspaces and keys for you",
};

export interface ScopePreset {
  readonly id: "publish" | "read" | "all";
  readonly label: string;
  readonly hint: string;
  readonly scopes: readonly Scope[];
}

export const scopePresets: readonly ScopePreset[] = [
  {
    id: "publish",
    label: "Publish",
    hint: "Read, publish and update. Enough for an agent or a CI job.",
    scopes: ["artifacts:read", "artifacts:create", "artifacts:update"],
  },
  { id: "read", label: "Read only", hint: "Read what you can see, and change nothing.", scopes: ["artifacts:read"] },
  {
    id: "all",
    label: "Full access to artifacts",
    hint: "Also delete, share and change access.",
    scopes: scopes.filter((scope) => scope !== "agents:manage"),
  },
];

export const isScope = (text: string): text is Scope => scopes.some((scope) => scope === text);

/** The known scopes of a list, in the order they are explained in; what is unknown is left out. */
export function knownScopes(given: readonly string[]): Scope[] {
  return scopes.filter((scope) => given.includes(scope));
}

/** A set of scopes in a few words: the preset's name, or how many. */
export function scopesInShort(held: readonly Scope[]): string {
  const same = scopePresets.find(
    (preset) => preset.scopes.length === held.length && preset.scopes.every((scope) => held.includes(scope)),
  );
  if (same !== undefined) return same.label;
  if (held.length === scopes.length) return "Everything";
  const [only] = held;
  return held.length === 1 && only !== undefined ? only : `${held.length} scopes`;
}
