import { expect, test } from "bun:test";
import { formAction } from "./form-action.ts";

test.each([
  ["", "?/claim"],
  ["?next=%2Fa%3Fb%3D1", "?/claim&next=%2Fa%3Fb%3D1"],
  ["?/check&next=%2Fa", "?/claim&next=%2Fa"],
])("from %s", (search, expected) => {
  expect(formAction("claim", new URL(`https://plinth.example/workspaces/new${search}`))).toBe(expected);
});
