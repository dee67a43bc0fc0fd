import { expect, test } from "bun:test";
import { actorInWords } from "@plinth/contract/actor-words";
import { actorTypes, type Actor } from "@plinth/contract/schemas/actor";

import { actorWords } from "./actors.ts";

const actors = actorTypes.flatMap((type): Actor[] => {
  const actor = { type, id: "1", label: "Eins" };
  return [
    actor,
    { ...actor, onBehalfOf: { userId: "usr_1", username: "ada" } },
    { ...actor, onBehalfOf: { userId: "usr_1", username: "" } },
  ];
});

test("English names an actor as every other surface does", () => {
  expect(actors.map((actor) => actorWords(actor, "en"))).toEqual(actors.map(actorInWords));
});

test("German names each kind of actor", () => {
  const said = actors.map((actor) => actorWords(actor, "de"));
  expect([...new Set(said)]).toEqual([
    "Eins",
    "API-Schlüssel Eins",
    "API-Schlüssel Eins, für ada",
    "Agent Eins",
    "Agent Eins, für ada",
    "Freigabelink Eins",
    "Freigabelink Eins, für ada",
    "Betreiber",
  ]);
});
