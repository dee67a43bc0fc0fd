// The raw connection reads complete answers in every framing, and reports a missing one.
import { afterAll, expect, test } from "bun:test";

import { ConnectionClosed, parseAnswer, Wire } from "./wire.ts";

const server = Bun.serve({
  port: 0,
  fetch: (request) => {
    const path = new URL(request.url).pathname;
    if (path === "/events") {
      const endless = new ReadableStream({ start: (stream) => stream.enqueue("retry: 1\n\n") });
      return new Response(endless, { headers: { "content-type": "text/event-stream" } });
    }
    if (path !== "/chunked") return new Response(`got ${path}`, { status: 418, headers: { "x-path": path } });
    const parts = new ReadableStream({
      async start(stream) {
        stream.enqueue("one ");
        await Bun.sleep(5);
        stream.enqueue("two");
        stream.close();
      },
    });
    return new Response(parts);
  },
});
afterAll(() => server.stop(true));

const get = (path: string, method = "GET") => Buffer.from(`${method} ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`);

test("one connection serves one request after another", async () => {
  const wire = new Wire(server.port ?? 0);
  expect(await wire.exchange(get("/a"))).toMatchObject({ status: 418, text: "got /a" });
  expect(await wire.exchange(get("/chunked"))).toMatchObject({ status: 200, text: "one two" });
  expect(await wire.exchange(get("/events"))).toMatchObject({ status: 200, text: "" });
  const head = await wire.exchange(get("/b", "HEAD"), "HEAD");
  expect([head.status, head.headers.get("x-path"), head.text]).toEqual([418, "/b", ""]);
  wire.close();
});

test("an answer is read only once it is whole", () => {
  const whole = Buffer.from("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n");
  for (let length = 0; length < whole.length; length++)
    expect(parseAnswer(whole.subarray(0, length), false)).toBeNull();
  expect(parseAnswer(whole, false)?.text).toBe("abc");
});

test("a server that closes is told apart from one that answers", async () => {
  const silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: (socket) => void socket.end() } });
  const failure = await new Wire(silent.port).exchange(get("/")).catch((error: unknown) => error);
  silent.stop(true);
  expect(failure).toBeInstanceOf(ConnectionClosed);
});

test("a connection that is closed while idle is opened again, and a busy instance asked again", async () => {
  let connections = 0;
  let answers = 0;
  const server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open: () => void connections++,
      data(socket) {
        // The second request on the first connection finds it closed.
        if (connections === 1 && answers === 1) return void socket.end();
        const text = ++answers === 2 ? '{"code":"busy"}' : "done";
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${text}`);
      },
    },
  });
  const wire = new Wire(server.port);
  expect((await wire.exchange(get("/"))).text).toBe("done");
  expect((await wire.answerTo(get("/"), "GET"))?.text).toBe("done");
  wire.close();
  server.stop(true);
  expect([connections, answers]).toEqual([2, 3]);
});
