import { expect, test } from "bun:test";

import { mintToken, tokenHash, tokenKind } from "./token.ts";

test("a minted token says its kind and has its checksum", () => {
  for (const kind of ["apiKey", "agent", "share", "operator"] as const) {
    const token = mintToken(kind);
    expect(token).toHaveLength(43);
    expect(tokenKind(token)).toBe(kind);
  }
});

test("any changed character is noticed", () => {
  const token = mintToken("apiKey");
  for (let place = 4; place < token.length; place++) {
    const other = token[place] === "x" ? "y" : "x";
    expect(tokenKind(token.slice(0, place) + other + token.slice(place + 1))).toBeNull();
  }
  for (const text of ["", "plk_", "Bearer", `${token}0`, token.toUpperCase()]) expect(tokenKind(text)).toBeNull();
});

test("the hash is SHA-256 of the whole token", () => {
  expect(tokenHash("plk_a")).toBe(new Bun.CryptoHasher("sha256").update("plk_a").digest("hex"));
});
