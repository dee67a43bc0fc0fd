// Scopes in a few words, and the sets of them that people mostly want (docs/reference/contract.md §5).
import { scopes, type Scope } from "@plinth/contract/scopes";
import { scopeTexts } from "../messages/authorize.ts";

interface ScopePreset {
  readonly id: "publish" | "read" | "all";
  readonly scopes: readonly Scope[];
}

export const scopePresets: readonly ScopePreset[] = [
  {
    id: "publish",
    scopes: ["artifacts:read", "artifacts:create", "artifacts:update"],
  },
  { id: "read", scopes: ["artifacts:read"] },
  {
    id: "all",
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
  const text = scopeTexts();
  if (same !== undefined) return text.presets[same.id].label;
  if (held.length === scopes.length) return text.everything;
  const [only] = held;
  return held.length === 1 && only !== undefined ? only : text.count({ count: held.length });
}
