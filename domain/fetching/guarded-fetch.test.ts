// The guarded fetcher: answers of strangers' hosts, and refusals by addresses, redirects, size and time.
import { afterAll, expect, test } from "bun:test";

import { FetchError, guardedFetch, type FetchLimits } from "./guarded-fetch.ts";
import { isPublicAddress } from "./public-address.ts";

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  idleTimeout: 0,
  fetch(request) {
    const { pathname, searchParams } = new URL(request.url);
    switch (pathname) {
      case "/headers":
        return Response.json(Object.fromEntries(request.headers));
      case "/to":
        return Response.redirect(searchParams.get("url") ?? "");
      case "/loop":
        return Response.redirect("/loop");
      case "/silent":
        return new Promise<Response>(() => undefined);
      case "/slow":
        return new Response(new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from("a")) }));
      case "/endless":
        return new Response(new ReadableStream({ pull: (controller) => controller.enqueue(Buffer.alloc(65_536)) }));
      case "/long":
        return new Response("a".repeat(2000));
      case "/none":
        return new Response("gone", { status: 404 });
      default:
        return new Response("here");
    }
  },
});
afterAll(() => server.stop(true));

const { origin } = server.url;
const limits: FetchLimits = { bytes: 1000, ms: 30_000, trustedOrigin: origin };

const refusal = async (url: string, changed: Partial<FetchLimits> = {}, address = "127.0.0.1") => {
  const failure = await guardedFetch(url, { ...limits, ...changed }, () =>
    Promise.resolve([{ address, family: address.includes(":") ? 6 : 4 }]),
  ).catch((error: unknown) => error);
  return failure instanceof FetchError ? failure.refusal : failure;
};

test("an answer is given with its status, after redirects", async () => {
  const { status, bytes, url } = await guardedFetch(`${origin}/to?url=/none`, limits);
  expect([status, new TextDecoder().decode(bytes), url]).toEqual([404, "gone", `${origin}/none`]);
});

test("no credential is sent, and its own user agent", async () => {
  const url = `${origin.replace("//", "//user:password@")}/headers`;
  const { bytes } = await guardedFetch(url, limits);
  const headers = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, string>;
  expect(headers["user-agent"]).toContain("Plinth");
  expect(headers["authorization"] ?? headers["cookie"]).toBeUndefined();
});

test("a host with a private address is refused, by name and by number, and after a redirect", async () => {
  const { port } = server;
  for (const address of ["127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "::ffff:10.0.0.1", "fd00::1"])
    expect([address, await refusal("https://names.test/", {}, address)]).toEqual([address, "address"]);
  for (const host of [`127.0.0.1:${port}`, `[::1]:${port}`, "0x7f.1", "2130706433", "127.1"])
    expect([host, await refusal(`https://${host}/`)]).toEqual([host, "address"]);
  expect(await refusal(`${origin}/to?url=https://169.254.169.254/latest`)).toBe("address");
  expect(await refusal(`${origin}/to?url=https://localhost:${port}/`)).toBe("address");
});

test("a host or port that begins like the trusted origin is not trusted", async () => {
  const trustedOrigin = "https://registry.test";
  for (const url of [
    "https://registry.test.attacker.test/",
    "https://registry.test:8443/",
    "https://registry.testing/",
    "https://registry.test@attacker.test/",
  ])
    expect([url, await refusal(url, { trustedOrigin })]).toEqual([url, "address"]);
  // By http the trusted origin's own host at another port: 1 begins each of them.
  const http = "http://127.0.0.1:1";
  for (const port of [10, 1024, 18_000])
    expect([port, await refusal(`http://127.0.0.1:${port}/`, { trustedOrigin: http })]).toEqual([port, "protocol"]);
  expect(await refusal("http://127.0.0.1.attacker.test/", { trustedOrigin: "http://127.0.0.1" })).toBe("protocol");
});

test("of several addresses each must be public", async () => {
  const both = () =>
    Promise.resolve([
      { address: "93.184.215.14", family: 4 },
      { address: "192.168.0.1", family: 4 },
    ]);
  expect(guardedFetch("https://names.test/", limits, both)).rejects.toMatchObject({ refusal: "address" });
});

test("http is fetched from the trusted origin alone, and no other protocol", async () => {
  expect(await refusal(`${origin}/`, { trustedOrigin: null })).toBe("protocol");
  expect(await refusal(`${origin}/to?url=http://names.test/`, {}, "93.184.215.14")).toBe("protocol");
  expect(await refusal(`${origin}/to?url=file:///etc/passwd`)).toBe("protocol");
  expect(await refusal(`${origin}/loop`)).toBe("redirects");
});

test("a long, endless, silent or slow answer ends with a refusal", async () => {
  expect(await refusal(`${origin}/long`)).toBe("size");
  expect(await refusal(`${origin}/endless`)).toBe("size");
  expect(await refusal(`${origin}/silent`, { ms: 200 })).toBe("time");
  expect(await refusal(`${origin}/slow`, { ms: 200 })).toBe("time");
  const never = new Promise<never>(() => undefined);
  expect(guardedFetch("https://names.test/", { ...limits, ms: 200 }, () => never)).rejects.toMatchObject({
    refusal: "time",
  });
  server.reload({ fetch: () => new Response("here") });
  expect(await refusal("http://127.0.0.1:1/", { trustedOrigin: "http://127.0.0.1:1" })).toBe("unreachable");
});

test("public addresses are told from those of special purposes", () => {
  for (const address of ["8.8.8.8", "104.16.1.35", "2606:4700::6810:123"])
    expect([address, isPublicAddress(address)]).toEqual([address, true]);
  const special = [
    "",
    "x",
    "0.0.0.0",
    "100.64.0.1",
    "192.0.0.8",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "fe80::1",
    "ff02::1",
    "64:ff9b::a00:1",
    "2002:a00:1::",
    "2001:db8::1",
    "::ffff:8.8.8.8",
  ];
  for (const address of special) expect([address, isPublicAddress(address)]).toEqual([address, false]);
});
