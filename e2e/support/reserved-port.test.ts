import { expect, test } from "bun:test";

import { reservePort } from "./reserved-port.ts";

const serve = (port: number) => Bun.serve({ port, hostname: "127.0.0.1", fetch: () => new Response("answered") });

test("a server can listen on a reserved port, again and again", async () => {
  const port = reservePort();
  for (let times = 0; times < 3; times++) {
    const server = serve(port);
    expect(await (await fetch(server.url)).text()).toBe("answered");
    await server.stop(true);
  }
});

test.if(process.platform === "linux")("a reserved port is given to nothing that asks for any port", async () => {
  const reserved = Array.from({ length: 500 }, reservePort);
  expect(new Set(reserved).size).toBe(500);
  const others: ReturnType<typeof serve>[] = [];
  for (let n = 0; n < 500; n++) others.push(serve(0));
  expect(others.filter(({ port }) => reserved.includes(port ?? 0))).toEqual([]);
  await Promise.all(others.map((server) => server.stop(true)));
});
