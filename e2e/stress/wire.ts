// One keep-alive HTTP/1.1 connection that sends bytes unchanged, so that a stress test can send what no client library
// would. Knows only the framing of answers.
import { hung } from "../harness/process.ts";

export interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The server closed the connection without a complete answer. */
export class ConnectionClosed extends Error {
  override readonly name = "ConnectionClosed";

  /** @param received what came of the answer before */
  constructor(readonly received: string) {
    super(`closed after ${JSON.stringify(received.slice(0, 200))}`);
  }
}

export class Wire {
  readonly #port: number;
  #socket: Bun.Socket | null = null;
  #received = Buffer.alloc(0);
  #waiting: PromiseWithResolvers<WireAnswer> | null = null;
  #head = false;

  constructor(port: number) {
    this.#port = port;
  }

  /**
   * Sends one request and reads its answer; reconnects if the server has closed, also if it closes an idle connection
   * just then, as every client of HTTP does. @throws ConnectionClosed
   */
  async exchange(request: Uint8Array, method = "GET"): Promise<WireAnswer> {
    const isReused = this.#socket !== null;
    return this.#exchangeOnce(request, method).catch((error: unknown) => {
      if (!isReused || !(error instanceof ConnectionClosed) || error.received !== "") throw error;
      return this.#exchangeOnce(request, method);
    });
  }

  /**
   * `exchange`, and again while the instance says that its compilers are busy, which is no fault of either side.
   * Null if the server closes without a complete answer.
   */
  async answerTo(request: Uint8Array, method: string): Promise<WireAnswer | null> {
    for (;;) {
      const answer = await this.exchange(request, method).catch((error: unknown) => {
        if (error instanceof ConnectionClosed) return null;
        throw error;
      });
      if (!answer?.text.includes('"code":"busy"')) return answer;
      await Bun.sleep(100);
    }
  }

  async #exchangeOnce(request: Uint8Array, method: string): Promise<WireAnswer> {
    const socket = this.#socket ?? (await this.#connect());
    const waiting = Promise.withResolvers<WireAnswer>();
    this.#waiting = waiting;
    this.#head = method === "HEAD";
    const timer = setTimeout(() => this.#fail(new Error("no answer: the request hung")), hung);
    try {
      this.#rest = request;
      this.#write(socket);
      return await waiting.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    const socket = this.#socket;
    // First, because ending can report the close synchronously.
    this.#socket = null;
    socket?.end();
  }

  #rest: Uint8Array = new Uint8Array();

  /** A write takes what the socket has room for; `drain` sends the rest. */
  #write(socket: Bun.Socket): void {
    this.#rest = this.#rest.subarray(Math.max(0, socket.write(this.#rest)));
  }

  async #connect(): Promise<Bun.Socket> {
    this.#received = Buffer.alloc(0);
    this.#socket = await Bun.connect({
      hostname: "127.0.0.1",
      port: this.#port,
      socket: {
        data: (_, chunk) => this.#read(chunk),
        drain: (socket) => this.#write(socket),
        close: (socket) => this.#closed(socket),
        error: (_, error) => this.#fail(error),
      },
    });
    return this.#socket;
  }

  #read(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    const answer = parseAnswer(this.#received, this.#head);
    if (answer === null) return;
    this.#received = Buffer.alloc(0);
    if (answer.headers.get("connection") === "close" || goesOn(answer.headers)) this.close();
    this.#settle((waiting) => waiting.resolve(answer));
  }

  #closed(socket: Bun.Socket): void {
    // An abandoned connection reports late.
    if (socket !== this.#socket) return;
    this.#socket = null;
    this.#fail(new ConnectionClosed(this.#received.toString("latin1")));
  }

  #fail(error: Error): void {
    this.close();
    this.#settle((waiting) => waiting.reject(error));
  }

  #settle(how: (waiting: PromiseWithResolvers<WireAnswer>) => void): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting) how(waiting);
  }
}

/** Events are sent until the connection ends. */
const goesOn = (headers: Headers): boolean => headers.get("content-type") === "text/event-stream";

/** Reads an answer framed by its length or in chunks; null while it is incomplete. Of an event stream only the head. */
export function parseAnswer(received: Buffer, toHead: boolean): WireAnswer | null {
  const end = received.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const [first = "", ...lines] = received.toString("latin1", 0, end).split("\r\n");
  const status = Number(first.split(" ")[1]);
  const headers = new Headers();
  for (const line of lines) headers.append(line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim());
  const body = received.subarray(end + 4);
  const bytes =
    toHead || status === 204 || status === 304 || goesOn(headers)
      ? Buffer.alloc(0)
      : headers.get("transfer-encoding") === "chunked"
        ? joinChunks(body)
        : takeLength(body, Number(headers.get("content-length") ?? 0));
  return bytes === null ? null : { status, headers, text: bytes.toString("utf8") };
}

const takeLength = (body: Buffer, length: number) => (body.length < length ? null : body.subarray(0, length));

function joinChunks(body: Buffer): Buffer | null {
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    const line = body.indexOf("\r\n", at);
    if (line < 0) return null;
    const size = Number.parseInt(body.toString("latin1", at, line), 16);
    const next = line + 2 + size + 2;
    if (body.length < next) return null;
    if (size === 0) return Buffer.concat(parts);
    parts.push(body.subarray(line + 2, line + 2 + size));
    at = next;
  }
}
