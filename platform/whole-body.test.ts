import { afterAll, expect, test } from "bun:test";
import { dlopen, FFIType } from "bun:ffi";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { connect } from "node:net";

import { wholeBody, withoutBody } from "./whole-body.ts";

const headers = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`x-header-${n}`, "value"]));
const textOf = (length: number) => new TextEncoder().encode("0123456789abcde\n".repeat(length / 16));

/** Answers as the API does, after a wait. */
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    const bytes = textOf(Number(new URL(request.url).pathname.slice(1)));
    await new Promise((resolve) => setImmediate(resolve));
    const sent = { ...headers, "content-length": String(bytes.length), "content-type": "text/plain" };
    const response = new Response(wholeBody(bytes), { headers: sent });
    return request.method === "HEAD" ? withoutBody(response) : response;
  },
});
afterAll(() => server.stop(true));

const lengths = [16, 8 * 1024, 14 * 1024, 16 * 1024, 64 * 1024, 512 * 1024, 2 * 1024 * 1024];

test("a body of any length arrives whole, with its length and headers, once read and when read slowly", async () => {
  for (const length of lengths) {
    const answer = await fetch(`${server.url.origin}/${length}`);
    expect(answer.headers.get("content-length")).toBe(String(length));
    expect(answer.headers.get("transfer-encoding")).toBeNull();
    expect(answer.headers.get("x-header-11")).toBe("value");
    expect(Bun.hash(await answer.bytes())).toBe(Bun.hash(textOf(length)));
    expect(await new Response(wholeBody(textOf(length))).text()).toHaveLength(length);
  }
});

test("HEAD gets the length and no body", async () => {
  for (const length of lengths) {
    const answer = await fetch(`${server.url.origin}/${length}`, { method: "HEAD" });
    expect([answer.headers.get("content-length"), await answer.text()]).toEqual([String(length), ""]);
  }
  expect(withoutBody(new Response("text")).body).not.toBeNull();
});

test("the headers and a body of 16 to 32 KB arrive in at most two segments", async () => {
  for (const length of [8 * 1024, 16 * 1024, 32 * 1024]) expect(await segmentsOf(length)).toBeLessThanOrEqual(2);
});

/** The number of TCP segments with data in which an answer arrives: at loopback one for each write. */
function segmentsOf(length: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(Number(server.port), "127.0.0.1", () =>
      socket.write(`GET /${length} HTTP/1.1\r\nHost: localhost\r\n\r\n`),
    );
    socket.on("error", reject);
    socket.on("data", (data) => {
      received += data.toString();
      if (received.length < length || received.length < received.indexOf("\r\n\r\n") + 4 + length) return;
      const segments = dataSegmentsIn(descriptorOf(Number(socket.localPort)));
      socket.destroy();
      resolve(segments);
    });
  });
}

/** The descriptor of the process's connection from that port. */
function descriptorOf(localPort: number): number {
  const from = `0100007F:${localPort.toString(16).toUpperCase().padStart(4, "0")}`;
  const line = readFileSync("/proc/net/tcp", "utf8")
    .split("\n")
    .map((each) => each.trim().split(/\s+/))
    .find((fields) => fields[1] === from);
  const found = readdirSync("/proc/self/fd").find((fd) => linkOf(fd) === `socket:[${line?.[9]}]`);
  if (found === undefined) throw new Error("the connection has no descriptor");
  return Number(found);
}

function linkOf(descriptor: string): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return null; // Closed since the folder was read.
  }
}

/** `tcpi_data_segs_in` of `struct tcp_info`. */
function dataSegmentsIn(descriptor: number): number {
  const [tcp, tcpInfo, offset] = [6, 11, 152];
  const { symbols } = dlopen("libc.so.6", {
    getsockopt: { args: [FFIType.i32, FFIType.i32, FFIType.i32, FFIType.ptr, FFIType.ptr], returns: FFIType.i32 },
  });
  const info = new Uint8Array(256);
  const length = new Uint32Array([info.length]);
  if (symbols.getsockopt(descriptor, tcp, tcpInfo, info, length) !== 0) throw new Error("getsockopt failed");
  return new DataView(info.buffer).getUint32(offset, true);
}
