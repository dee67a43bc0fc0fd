// Every possible target: a web server, bare sockets of both kinds, and a name server that resolves every name.
import { createSocket } from "node:dgram";
import { createServer } from "node:net";

import { datagramPorts, HOST, streamPorts, WEB_PORT, ZONE } from "./probes.ts";

export interface Listeners {
  /** The egress probes that have arrived so far, by name. */
  readonly arrived: ReadonlySet<string>;
  /** The same in order; taking it empties it. */
  readonly take: () => string[];
}

export async function listenToAll(): Promise<Listeners> {
  const arrived = new Set<string>();
  Bun.serve({
    port: WEB_PORT,
    hostname: "0.0.0.0",
    fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      const probe = decodeURIComponent(pathname.slice(1));
      const next = searchParams.get("to");
      if (next !== null) return Response.redirect(next);
      arrived.add(probe);
      return new Response("", { headers: { "access-control-allow-origin": "*", "content-type": "text/javascript" } });
    },
  });
  for (const [probe, port] of Object.entries(streamPorts)) {
    const server = createServer((socket) => {
      arrived.add(probe);
      socket.on("error", () => socket.destroy());
    });
    await new Promise<void>((resolve) => void server.listen(port, "0.0.0.0", resolve));
  }
  for (const [probe, port] of Object.entries(datagramPorts))
    await listenToDatagrams(port, () => void arrived.add(probe));
  await listenToDatagrams(53, (question, answer) => {
    const [name, type] = asked(question);
    if (name.endsWith(`.${ZONE}`)) arrived.add(`name: ${name.slice(0, -ZONE.length - 1)}`);
    answer(type === 1 ? withAddress(question) : empty(question));
  });
  const take = () => {
    const all = [...arrived].sort();
    arrived.clear();
    return all;
  };
  return { arrived, take };
}

async function listenToDatagrams(
  port: number,
  onMessage: (message: Buffer, answer: (bytes: Buffer) => void) => void,
): Promise<void> {
  const socket = createSocket("udp4");
  socket.on("message", (message, { port, address }) =>
    onMessage(message, (bytes) => socket.send(bytes, port, address)),
  );
  await new Promise<void>((resolve) => void socket.bind(port, "0.0.0.0", resolve));
}

/** The name and the type of a DNS question. */
function asked(question: Buffer): [string, number] {
  const labels: string[] = [];
  let at = 12;
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString("latin1", at + 1, at + 1 + length));
    at += length + 1;
  }
  return [labels.join(".").toLowerCase(), question.readUInt16BE(at + 1)];
}

function empty(question: Buffer): Buffer {
  const answer = Buffer.from(question.subarray(0, question.indexOf(0, 12) + 5));
  answer.writeUInt16BE(0x8180, 2);
  answer.fill(0, 6, 12);
  return answer;
}

function withAddress(question: Buffer): Buffer {
  const head = empty(question);
  head.writeUInt16BE(1, 6);
  const record = Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...HOST.split(".").map(Number)]);
  return Buffer.concat([head, record]);
}
