import { expect, test } from "bun:test";

import { identityOf } from "./identity.ts";

const of = (subject: unknown, claims: object = {}) => identityOf("oidc", "https://login.example.org", subject, claims);
const read = (claims: object) => of("ada", claims);

test("an identity is issuer and subject", () => {
  expect(of("ada").accountId).toBe("https://login.example.org ada");
  for (const subject of [undefined, null, "", 5, "one two", "ädä", "a\0", "x".repeat(256)])
    expect(() => of(subject)).toThrow("no subject");
});

test("an address is ASCII, judged before it is lower-cased, and verified only where the provider says so", () => {
  expect(read({ email: "Ada@Example.ORG", email_verified: true })).toMatchObject({
    email: "ada@example.org",
    emailVerified: true,
  });
  // As some providers write it.
  expect(read({ email_verified: "true" }).emailVerified).toBe(true);
  for (const email_verified of [undefined, false, "false", "yes", 1, {}])
    expect(read({ email_verified }).emailVerified).toBe(false);
  for (const email of [
    undefined,
    null,
    5,
    "",
    "ada",
    "\u212Aim@example.org",
    "a b@example.org",
    "a@b@",
    "a@\u0131x.org",
  ])
    expect(read({ email }).email).toBeNull();
  expect(read({ email: `${"a".repeat(250)}@example.org` }).email).toBeNull();
});

test("a name and an avatar are kept as far as they can be stored", () => {
  expect(read({ name: "  Ada\0\n Lovelace \uD800 " }).name).toBe("Ada Lovelace \uFFFD");
  expect(read({ name: "x".repeat(500) }).name).toHaveLength(100);
  for (const name of [undefined, "", " \t", 5, ["Ada"]]) expect(read({ name }).name).toBeNull();
  expect(read({ picture: "https://example.org/ada.png" }).avatarUrl).toBe("https://example.org/ada.png");
  for (const picture of ["http://example.org/x", "javascript:alert(1)", "data:image/png;base64,", 5, undefined])
    expect(read({ picture }).avatarUrl).toBeNull();
});
