// A proxy on loopback that lets nothing through and keeps what it was asked for, so that a test knows which hosts a
// program wanted to reach.
export interface RefusingProxy {
  readonly url: string;
  /** The request line of each connection: `CONNECT example.com:443 HTTP/1.1`. */
  readonly asked: readonly string[];
  close(): void;
}

export function startRefusingProxy(): RefusingProxy {
  const asked: string[] = [];
  const listener = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(socket, bytes) {
        asked.push(bytes.toString("latin1").split("\r\n", 1)[0] ?? "");
        socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
      },
    },
  });
  return { url: `http://127.0.0.1:${listener.port}`, asked, close: () => listener.stop(true) };
}
