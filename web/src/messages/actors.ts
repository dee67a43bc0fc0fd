// An actor in words: a person as a person, a key as a key, an agent as an agent. English has the words of
// contract/actor-words, which every other surface has too.
import type { Actor } from "@plinth/contract/schemas/actor";
import { currentLanguage, type Language } from "./language.ts";
import { messages } from "./messages.ts";

const actorTexts = messages({
  en: {
    apiKey: ({ label }: { label: string }) => `API key ${label}`,
    agent: ({ label }: { label: string }) => `agent ${label}`,
    shareLink: ({ label }: { label: string }) => `share link ${label}`,
    operator: "the operator",
    for: ({ actor, username }: { actor: string; username: string }) => `${actor}, for ${username}`,
  },
  de: {
    apiKey: ({ label }) => `API-Schlüssel ${label}`,
    agent: ({ label }) => `Agent ${label}`,
    shareLink: ({ label }) => `Freigabelink ${label}`,
    operator: "Betreiber",
    for: ({ actor, username }) => `${actor}, für ${username}`,
  },
});

/** "ada", "API key seed, for ada", "agent Claude, for ada", "share link Review". */
export function actorWords({ type, label, onBehalfOf }: Actor, language: Language = currentLanguage()): string {
  const texts = actorTexts(language);
  if (type === "operator") return texts.operator;
  const kinds: Partial<Record<Actor["type"], typeof texts.agent>> = {
    api_key: texts.apiKey,
    agent: texts.agent,
    share_link: texts.shareLink,
  };
  const actor = kinds[type]?.({ label });
  if (actor === undefined) return label;
  const username = onBehalfOf?.username ?? "";
  return username === "" ? actor : texts.for({ actor, username });
}
