// Secrets are removed from a text before it is printed; values are put into words.
import { expect, test } from "bun:test";

import { describe } from "./describe.ts";
import { redactSecrets } from "./print.ts";
import { styleOf } from "../terminal/style.ts";

test("a secret of 8 characters is hidden, a shorter one is not looked for", () => {
  expect(redactSecrets("sent 12345678 and 1234567", ["12345678", "1234567"])).toBe("sent … and 1234567");
});

test("each secret is hidden wherever it occurs", () => {
  expect(redactSecrets("first-secret second-secret first-secret", ["first-secret", "second-secret"])).toBe("… … …");
});

test("everything that has a token's form is hidden", () => {
  expect(redactSecrets("plk_abcdefgh pla_abcdefgh plx_abcdefgh", [])).toBe("plk_… pla_… plx_abcdefgh");
});

test("a time is said in words with the time itself beside it", () => {
  const at = "2020-01-02T03:04:05.000Z";
  const text = describe({ createdAt: at }, styleOf({ isTerminal: false } as never, {}));
  expect(text).toContain(`(${at})`);
  expect(text).toContain("2020");
});
