import { expect, test } from "bun:test";

import { faultsOf, subjectOf } from "./commit-subject.ts";

test.each([
  "Add a list of users",
  "Élargir la liste",
  `A${"b".repeat(71)}`,
  'Merge branch "hooks" into main, whose name is much longer than the seventy-two characters of others.',
  'Revert "add a list of users."',
  "fixup! add a list of users",
  "",
])("accepted: %s", (subject) => {
  expect(faultsOf(subject)).toEqual([]);
});

test("each fault is named", () => {
  expect(faultsOf(`add ${"b".repeat(70)}.`)).toEqual([
    "It has 75 characters; 72 are allowed.",
    "It ends with a full stop.",
    "It doesn't start with a capital letter.",
  ]);
  expect(faultsOf("[web] Add a list")).toEqual(["It doesn't start with a capital letter."]);
});

test("length: characters are counted, not UTF-16 units", () => {
  expect(faultsOf(`A${"🏛".repeat(71)}`)).toEqual([]);
  expect(faultsOf(`A${"🏛".repeat(72)}`)).toEqual(["It has 73 characters; 72 are allowed."]);
});

test("the subject is the first line that is neither empty nor a comment", () => {
  expect(subjectOf("# Please enter the commit message\n\nAdd a list of users \n\nBecause it lacks.\n")).toBe(
    "Add a list of users",
  );
  expect(subjectOf("# Nothing\n\n")).toBe("");
});
