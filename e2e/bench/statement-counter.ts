// Counts the statements an instance sends to its database: a proxy that counts the executions and simple queries of
// PostgreSQL's protocol (its documentation, "Message Formats"), including BEGIN and COMMIT.
import { connect, createServer, type AddressInfo } from "node:net";

const execute = "E".charCodeAt(0);
const simpleQuery = "Q".charCodeAt(0);

export interface StatementCounter {
  /** The number of statements that have passed. */
  readonly count: number;
  readonly port: number;
  stop(): void;
}

/** Listens on loopback and forwards to the server behind that Unix socket. */
export async function startStatementCounter(socketPath: string): Promise<StatementCounter> {
  let count = 0;
  const server = createServer((client) => {
    const upstream = connect(socketPath);
    const read = messageTypes();
    client.on("data", (chunk) => {
      for (const type of read(chunk)) if (type === execute || type === simpleQuery) count++;
    });
    client.pipe(upstream).pipe(client);
    client.on("error", () => upstream.destroy());
    upstream.on("error", () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    get count() {
      return count;
    },
    port: (server.address() as AddressInfo).port,
    stop: () => void server.close(),
  };
}

/** Reads the message types of one client, independently of chunk boundaries. A client's first message has no type. */
function messageTypes(): (chunk: Buffer) => number[] {
  let rest = Buffer.alloc(0);
  let started = false;
  return (chunk) => {
    const bytes = Buffer.concat([rest, chunk]);
    const types: number[] = [];
    let at = 0;
    for (;;) {
      const lengthAt = at + (started ? 1 : 0);
      if (bytes.length < lengthAt + 4) break;
      const end = lengthAt + bytes.readUInt32BE(lengthAt);
      if (bytes.length < end) break;
      if (started) types.push(bytes.readUInt8(at));
      started = true;
      at = end;
    }
    rest = bytes.subarray(at);
    return types;
  };
}
