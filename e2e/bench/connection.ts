// One keep-alive HTTP/1.1 connection over a bare socket. It reads only the end of the header and the length of the
// body, so that the client uses as little processor time as possible.

const endOfHead = Buffer.from("\r\n\r\n");
const endOfChunks = Buffer.from("0\r\n\r\n");
const withoutBody = new Set([204, 304]);

export interface Connection {
  /** Sends a whole request and resolves with the status after the whole answer has arrived. */
  send(request: Uint8Array): Promise<number>;
  close(): void;
}

export async function openConnection(hostname: string, port: number): Promise<Connection> {
  let pending: { resolve: (status: number) => void; reject: (error: Error) => void } | null = null;
  let unsent: Uint8Array | null = null;
  let received: Buffer = Buffer.alloc(0);
  /** Bytes of the current answer that are still missing, once its head is known. */
  let answer: { status: number; length: number } | null = null;

  const fail = (error: Error) => {
    pending?.reject(error);
    pending = null;
  };
  const socket = await Bun.connect({
    hostname,
    port,
    socket: {
      data(_socket, chunk) {
        if (answer === null) {
          received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
          const head = readHead(received);
          if (head === null) return;
          answer = { status: head.status, length: head.total - received.length };
          received = Buffer.alloc(0);
        } else {
          answer.length -= chunk.length;
        }
        if (answer.length > 0) return;
        const { status, length } = answer;
        answer = null;
        if (length < 0) return fail(new Error("more came than was asked for"));
        pending?.resolve(status);
      },
      drain(open) {
        if (unsent === null) return;
        const written = open.write(unsent);
        unsent = written < unsent.length ? unsent.subarray(written) : null;
      },
      error: (_socket, error) => fail(error),
      close: () => fail(new Error("the server closed the connection")),
    },
  });
  return {
    send(request) {
      return new Promise((resolve, reject) => {
        pending = { resolve, reject };
        const written = socket.write(request);
        unsent = written < request.length ? request.subarray(written) : null;
      });
    },
    close: () => socket.end(),
  };
}

/** Status, and the length of head and body together; null while the head or a chunked body is incomplete. */
function readHead(received: Buffer): { status: number; total: number } | null {
  const end = received.indexOf(endOfHead);
  if (end < 0) return null;
  const head = received.toString("latin1", 0, end).toLowerCase();
  const status = Number(head.slice(9, 12));
  const body = end + endOfHead.length;
  if (withoutBody.has(status)) return { status, total: body };
  if (head.includes("\r\ntransfer-encoding: chunked"))
    return received.subarray(-endOfChunks.length).equals(endOfChunks) ? { status, total: received.length } : null;
  const length = /\r\ncontent-length: *(\d+)/.exec(head)?.[1];
  if (length === undefined) throw new Error(`an answer without a length:\n${head}`);
  return { status, total: body + Number(length) };
}
