import { expect, test } from "bun:test";

import { decodeId, encodeId, idPattern } from "./ids.ts";

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** Crockford's base32 by its definition: the 128 bits as one number. */
function written(uuid: string): string {
  let [bits, text] = [BigInt(`0x${uuid.replaceAll("-", "")}`), ""];
  for (let place = 0; place < 26; place++, bits >>= 5n) text = alphabet.charAt(Number(bits & 31n)) + text;
  return text;
}

test("an identifier is its UUID in base32, there and back", () => {
  const fixed = ["00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"];
  const single = Array.from({ length: 128 }, (_, bit) => (1n << BigInt(bit)).toString(16).padStart(32, "0")).map(
    (hex) => [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-"),
  );
  const random = Array.from({ length: 2000 }, () => crypto.randomUUID());
  for (const uuid of [...fixed, ...single, ...random]) {
    const id = encodeId("art", uuid);
    expect(id).toBe(`art_${written(uuid)}`);
    expect(id).toMatch(new RegExp(idPattern("art")));
    expect(decodeId("art", id)).toBe(uuid);
  }
});

test("what is not written so is none", () => {
  const id = encodeId("art", crypto.randomUUID());
  const body = id.slice(4);
  for (const text of [
    "",
    "art_",
    body,
    `prj_${body}`,
    `art-${body}`,
    `art_${body}0`,
    id.slice(0, -1),
    id.toUpperCase(),
    ` ${id}`,
    `${id}\n`,
    ...["i", "l", "o", "u", "-", "_", " ", "é", "\0", "０", "Z"].map(
      (character) => `art_0${character}${"0".repeat(24)}`,
    ),
    ...["8", "9", "a", "z"].map((first) => `art_${first}${"0".repeat(25)}`),
  ]) {
    expect({ text, uuid: decodeId("art", text) }).toEqual({ text, uuid: null });
    expect(text).not.toMatch(new RegExp(idPattern("art")));
  }
});
