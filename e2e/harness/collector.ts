// A server on another origin that receives everything a document leaks: requests, connections and datagrams. It knows a
// payload only by the beginning of the path, or by the socket that it was given.
import { createSocket, type Socket } from "node:dgram";
import { createServer, type Server } from "node:net";
import { networkInterfaces } from "node:os";

export interface Received {
  /** The payload: the first three parts of the path, `type/family/what`, or the owner of a socket. */
  readonly of: string;
  /** Method and path of a request, or the kind of the socket. */
  readonly what: string;
  /** Headers that could reveal the visitor and the purpose. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface Collector {
  /** Another site than an instance on 127.0.0.1, so that they share no cookies. */
  readonly origin: string;
  /** Everything received so far. */
  readonly received: readonly Received[];
  /** Host and port of a plain socket for one payload. @throws if none is left */
  socketOf(owner: string): string;
  /** The same for datagrams. */
  datagramsOf(owner: string): string;
  stop(): Promise<void>;
}

const tellingHeaders = ["cookie", "authorization", "referer", "origin", "sec-fetch-dest"];

/** Starts it with this many sockets of each kind. */
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

/** Not the loopback if there is another interface, because WebRTC ignores loopback. */
const outerAddress = (): string =>
  Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === "IPv4" && !one.internal)?.address ?? "127.0.0.1";

async function listen(record: (port: number) => void): Promise<Server> {
  const server = createServer((socket) => {
    record(portOf(server));
    // A connection that is reset early still counts.
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
