// A server elsewhere that hears whatever gets out of a document: requests, connections and datagrams. Knows no payload
// but by the beginning of the path, or the socket, that it was given.
import { createSocket, type Socket } from "node:dgram";
import { createServer, type Server } from "node:net";
import { networkInterfaces } from "node:os";

export interface Received {
  /** Whose address was asked for: the first three parts of its path, `type/family/what`, or a socket's owner. */
  readonly of: string;
  /** Method and path of a request, or what kind of socket was used. */
  readonly what: string;
  /** What could tell who is asking, and what for. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface Collector {
  /** Of another site than an instance on 127.0.0.1, so that a cookie of the one is none of the other's. */
  readonly origin: string;
  /** Everything that reached it so far. */
  readonly received: readonly Received[];
  /** Host and port of a plain socket for one payload alone. @throws where all are given away */
  socketOf(owner: string): string;
  /** Likewise of datagrams. */
  datagramsOf(owner: string): string;
  stop(): Promise<void>;
}

const tellingHeaders = ["cookie", "authorization", "referer", "origin", "sec-fetch-dest"];

/** Starts it with so many sockets of each kind to give away. */
export async function startCollector(sockets = 40): Promise<Collector> {
  const received: Received[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      const { pathname, search } = new URL(request.url);
      const of = pathname.split("/").slice(1, 4).join("/");
      received.push({ of, what: `${request.method} ${pathname}${search}`, headers: tellingOf(request.headers) });
      return new Response("", { headers: { "content-type": "text/javascript", "access-control-allow-origin": "*" } });
    },
  });
  const owners = new Map<number, string>();
  const record = (what: string) => (port: number) => {
    received.push({ of: owners.get(port) ?? "nobody", what, headers: {} });
  };
  const streams = await Promise.all(Array.from({ length: sockets }, () => listen(record("a connection"))));
  const packets = await Promise.all(Array.from({ length: sockets }, () => bind(record("a datagram"))));
  const give = (ports: readonly number[], owner: string): string => {
    const port = ports.find((one) => owners.get(one) === owner) ?? ports.find((one) => !owners.has(one));
    if (port === undefined) throw new Error(`all of the ${sockets} sockets are given away`);
    owners.set(port, owner);
    return `${outerAddress()}:${port}`;
  };
  return {
    origin: `http://localhost:${server.port}`,
    received,
    socketOf: (owner) => give(streams.map(portOf), owner),
    datagramsOf: (owner) => give(packets.map(portOf), owner),
    stop: async () => {
      await server.stop(true);
      for (const socket of [...streams, ...packets]) socket.close();
    },
  };
}

const tellingOf = (headers: Headers): Record<string, string> =>
  Object.fromEntries(tellingHeaders.flatMap((name) => (headers.has(name) ? [[name, headers.get(name) ?? ""]] : [])));

function portOf(socket: Server | Socket): number {
  const address = socket.address();
  if (address === null || typeof address === "string") throw new Error("the socket has no port");
  return address.port;
}

/** Not the loopback where there is another: WebRTC leaves that one out. */
const outerAddress = (): string =>
  Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === "IPv4" && !one.internal)?.address ?? "127.0.0.1";

async function listen(record: (port: number) => void): Promise<Server> {
  const server = createServer((socket) => {
    record(portOf(server));
    // Whoever hangs up early is heard all the same.
    socket.on("error", () => socket.destroy());
    socket.end();
  });
  await new Promise<void>((resolve) => void server.listen(0, "0.0.0.0", resolve));
  return server;
}

async function bind(record: (port: number) => void): Promise<Socket> {
  const socket = createSocket("udp4", () => record(portOf(socket)));
  await new Promise<void>((resolve) => void socket.bind(0, "0.0.0.0", resolve));
  return socket;
}
