import { expect, test } from "bun:test";

import { malformedParameters } from "./query.ts";

test("only parameters that are not percent-encoded UTF-8 are named", () => {
  for (const fine of ["", "?", "?a=1&b=%C3%BC&c=a+b&d", "?a==&&"]) expect(malformedParameters(fine)).toEqual([]);
  for (const bad of ["%FF", "%", "%ZZ", "%C3%28", "%ED%A0%80", "%F5%80%80%80", "%00%ff"]) {
    expect(malformedParameters(`?ok=1&q=${bad}`).map(({ path }) => path)).toEqual(["q"]);
  }
  expect(malformedParameters("?%FF=1").map(({ path }) => path)).toEqual(["%FF"]);
});
