import { expect, test } from "bun:test";

import { clientAddress } from "./request-meta.ts";

const trusted = new Set(["192.0.2.53", "192.0.2.54", "in-process"]);
const from = (peer: string, forwarded?: string) =>
  clientAddress(
    new Request("http://plinth.test/", forwarded === undefined ? {} : { headers: { "x-forwarded-for": forwarded } }),
    peer,
    trusted,
  );

test("what the caller claims is believed only of a proxy that is trusted", () => {
  expect(from("203.0.113.9")).toBe("203.0.113.9");
  expect(from("203.0.113.9", "198.51.100.1")).toBe("203.0.113.9");
  expect(from("192.0.2.53", "198.51.100.1")).toBe("198.51.100.1");
});

test("of a chain, the last address that is no trusted proxy's: what came before it anyone may have written", () => {
  expect(from("192.0.2.53", "1.1.1.1, 198.51.100.1, 192.0.2.54")).toBe("198.51.100.1");
  expect(from("in-process", "1.1.1.1,  203.0.113.9")).toBe("203.0.113.9");
  expect(from("in-process", "203.0.113.9, in-process, 192.0.2.53")).toBe("203.0.113.9");
  for (const nothing of ["", ",", " , 192.0.2.54"]) expect(from("192.0.2.53", nothing)).toBe("192.0.2.53");
});

test("an IPv4 address is the same on a socket of both kinds", () => {
  expect(from("::ffff:192.0.2.53", "198.51.100.1")).toBe("198.51.100.1");
  expect(from("192.0.2.53", "::FFFF:198.51.100.1")).toBe("198.51.100.1");
  expect(from("2001:db8::1")).toBe("2001:db8::1");
});
