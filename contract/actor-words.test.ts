import { expect, test } from "bun:test";

import { actorInWords } from "./actor-words.ts";
import type { Actor } from "./schemas/actor.ts";

const onBehalfOf = { userId: "usr_1", username: "ada" };

test.each([
  [{ type: "user", id: "usr_1", label: "ada" }, "ada"],
  [{ type: "api_key", id: "key_1", label: "seed", onBehalfOf }, "API key seed, for ada"],
  [{ type: "agent", id: "agt_1", label: "Claude", onBehalfOf }, "agent Claude, for ada"],
  [{ type: "agent", id: "agt_1", label: "Claude", onBehalfOf: { ...onBehalfOf, username: "" } }, "agent Claude"],
  [{ type: "share_link", id: "shr_1", label: "Review" }, "share link Review"],
  [{ type: "operator", id: "operator", label: "Operator" }, "the operator"],
  [{ type: "system", id: "system", label: "Plinth" }, "Plinth"],
] satisfies [Actor, string][])("%p is %p", (actor, words) => {
  expect(actorInWords(actor)).toBe(words);
});
