// User codes: written one way, read however they were typed.
import { expect, test } from "bun:test";

import { userCodePattern } from "@plinth/contract/oauth";

import { newUserCode, readUserCode } from "./user-code.ts";

test("a new code is two groups of four of the twenty consonants, all of which come up", () => {
  const codes = Array.from({ length: 2000 }, newUserCode);
  for (const code of codes) expect(code).toMatch(new RegExp(userCodePattern));
  expect(new Set(codes.join("").replaceAll("-", "")).size).toBe(20);
  // Of so many two are the same once in 12,800 runs; four never.
  expect(new Set(codes).size).toBeGreaterThanOrEqual(codes.length - 1);
});

test("it is read in any case and with any separators, and nothing else is", () => {
  for (const typed of ["WDJB-MJHT", "wdjbmjht", " wdjb mjht ", "W.D.J.B-m j h t"])
    expect(readUserCode(typed)).toBe("WDJB-MJHT");
  for (const typed of ["", "WDJB-MJH", "WDJB-MJHTT", "WDJB-MJHA", "WDJB-MJH1", "ＷＤＪＢ-MJHT", "\0".repeat(8)])
    expect(readUserCode(typed)).toBeNull();
});
