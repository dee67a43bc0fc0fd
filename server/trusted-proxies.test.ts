import { expect, test } from "bun:test";

import { trustedProxies } from "./trusted-proxies.ts";

test("addresses and ranges of both families are believed, and nothing beside them", () => {
  const proxies = trustedProxies(["192.0.2.1", "10.0.0.0/8", "172.16.5.9/12", "2001:db8::1", "fd00::/8"]);
  for (const address of ["192.0.2.1", "10.255.0.1", "172.31.255.255", "2001:db8::1", "fdab::7"])
    expect([address, proxies.has(address)]).toEqual([address, true]);
  for (const address of ["192.0.2.2", "11.0.0.1", "172.32.0.1", "2001:db8::2", "fe00::1", "", "unknown", "10.0.0.1:80"])
    expect([address, proxies.has(address)]).toEqual([address, false]);
});

test("what is no address or range is refused in one line", () => {
  for (const given of [
    "proxy",
    "10.0.0.0/33",
    "10.0.0.0/",
    "10.0.0.0/8/8",
    "0.0.0.0/0",
    "::/0",
    "10.0.0.256",
    "fe80::1%eth0",
    "10.0.0.0/8x",
  ])
    expect(() => trustedProxies([given])).toThrow(/^TRUSTED_PROXIES must be [^\n]*$/);
});

test("where none is named none is believed", () => {
  expect(trustedProxies([]).has("127.0.0.1")).toBe(false);
});
