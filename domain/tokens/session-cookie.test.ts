// Only a complete value signed here, under this instance's cookie name, is accepted as a session token.
import { createHmac } from "node:crypto";
import { expect, test } from "bun:test";

import { sessionCookieName } from "@plinth/contract/session-cookie";

import { readSessionCookie, signingKey } from "./session-cookie.ts";

const secret = "a secret of this instance";
const plain = { publicUrl: "http://localhost:3000", secret };
const tls = { publicUrl: "https://plinth.example", secret };
const token = "Zk3vQ1x7nB0aYtRr5LmWc2EdHj8UsPqo";

const macOf = (text: string, key = signingKey(secret)) => createHmac("sha256", key).update(text).digest("base64");
const valueOf = (text: string, mac = macOf(text)) => encodeURIComponent(`${text}.${mac}`);
const read = (value: string, name = "plinth_session") => readSessionCookie(plain, `${name}=${value}`);

test("a token is read where its signature is ours, among other cookies too", () => {
  expect(read(valueOf(token))).toBe(token);
  const value = valueOf(token);
  for (const header of [`a=1; plinth_session=${value}`, `plinth_session=${value};b=2`, `a;=; plinth_session=${value} `])
    expect(readSessionCookie(plain, header)).toBe(token);
  const dotted = "with.dots.in.it";
  expect(read(valueOf(dotted))).toBe(dotted);
});

test("one forged, cut, prolonged or signed with another key is none", () => {
  const mac = macOf(token);
  for (const forged of [
    "",
    ".",
    token,
    `${token}.`,
    `.${mac}`,
    encodeURIComponent(`.${macOf("")}`),
    encodeURIComponent(`${token.slice(0, -1)}.${mac}`),
    encodeURIComponent(`${token}x.${mac}`),
    encodeURIComponent(`${token}.${mac}.${mac}`),
    encodeURIComponent(`${token}.${mac.slice(0, 20)}`),
    encodeURIComponent(`${token}.${mac.slice(0, -4)}`),
    encodeURIComponent(`${token}.${mac.slice(0, -1)}`),
    encodeURIComponent(`${token}.${mac} `),
    encodeURIComponent(`${token}.${mac.slice(0, 10)}\n${mac.slice(10)}`),
    valueOf(token, macOf(token, secret)),
    valueOf(token, macOf(token, signingKey("another secret"))),
    valueOf(token, createHmac("sha1", signingKey(secret)).update(token).digest("base64")),
    valueOf(token, createHmac("sha256", signingKey(secret)).update(token).digest("hex")),
    "%",
    "%E0%A4%A",
    "%00".repeat(100),
  ])
    expect({ forged, read: read(forged) }).toEqual({ forged, read: null });
  for (let place = 0; place < token.length; place++) {
    const other = token.slice(0, place) + (token[place] === "x" ? "y" : "x") + token.slice(place + 1);
    expect(read(valueOf(other, mac))).toBeNull();
  }
});

test("the name says whether it is tied to one host and TLS, and no other name will do", () => {
  expect(sessionCookieName(tls.publicUrl)).toBe("__Host-plinth_session");
  expect(sessionCookieName(plain.publicUrl)).toBe("plinth_session");
  const value = valueOf(token);
  expect(readSessionCookie(tls, `__Host-plinth_session=${value}`)).toBe(token);
  // A neighbour under the same domain can set this one, and must not be believed where the other is to be had.
  expect(readSessionCookie(tls, `plinth_session=${value}`)).toBeNull();
  expect(readSessionCookie(tls, `__host-plinth_session=${value}`)).toBeNull();
  for (const name of [
    "__Host-plinth_session",
    "Plinth_session",
    "xplinth_session",
    "plinth_session2",
    " =plinth_session",
  ])
    expect(read(value, name)).toBeNull();
});

test("the key of cookies is none of the instance's other keys", () => {
  expect(signingKey(secret)).not.toBe(secret);
  expect(signingKey(secret)).not.toBe(signingKey("another secret"));
});
