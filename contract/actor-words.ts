// An actor in words, the same on every surface: a person as a person, a key as a key, an agent as an agent.
import type { Actor } from "./schemas/actor.ts";

/** "ada", "API key seed, for ada", "agent Claude, for ada", "share link Review". */
export function actorInWords({ type, label, onBehalfOf }: Actor): string {
  const whose = onBehalfOf === undefined || onBehalfOf.username === "" ? "" : `, for ${onBehalfOf.username}`;
  switch (type) {
    case "api_key":
      return `API key ${label}${whose}`;
    case "agent":
      return `agent ${label}${whose}`;
    case "share_link":
      return `share link ${label}${whose}`;
    case "operator":
      return "the operator";
    default:
      return label;
  }
}
