// Percent encoding and JSON that may be malformed.
import { expect, test } from "bun:test";

import { parsedJson, percentDecoded } from "./malformed.ts";

test.each([
  ["a%20b", "a b"],
  ["a+b", "a+b"],
  ["%", null],
  ["%ff", null],
])("percent encoding: %p is %p", (text, decoded) => expect(percentDecoded(text)).toBe(decoded));

test.each([
  ["null", null],
  ['{"a":1}', { a: 1 }],
  ["", undefined],
  ["{", undefined],
])("JSON: %p is %p", (text, value) => expect(parsedJson(text)).toEqual(value));
