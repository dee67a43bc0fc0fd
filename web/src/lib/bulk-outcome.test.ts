import { expect, test } from "bun:test";
import { bulkSentence, type Refused } from "./bulk-outcome.ts";

const refused = {} as Refused;

test.each([
  ["delete", 3, 0, "3 artifacts deleted."],
  ["delete", 1, 0, "1 artifact deleted."],
  ["hide", 2, 1, "2 artifacts made private, 1 not."],
  ["move", 0, 2, "No artifacts moved, 2 not."],
  ["undo", 2, 0, "2 artifacts restored with their share links."],
  ["undo", 1, 0, "1 artifact restored with its share links."],
  ["undo", 0, 0, "Select some artifacts first."],
] as const)("%s of %d with %d refused", (action, done, not, said) => {
  const times = <Value>(length: number, value: Value) => Array.from({ length }, () => value);
  expect(bulkSentence(action, { done: times(done, "art_1"), refused: times(not, refused) })).toBe(said);
});
