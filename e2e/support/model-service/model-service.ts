// A fake of a model service on loopback. Its model follows a script: it calls one tool after another, and keeps what the
// client sends back as the result of each call, which is all that a real model would know of it. It must not know the
// messages of any service: a form reads and writes them.
export interface ToolCall {
  /** The tool's name at its MCP server; clients offer it with a prefix or in a namespace. */
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A tool as the client offers it to the model. */
export interface Offered {
  readonly name: string;
  readonly namespace?: string;
}

export interface Image {
  readonly mediaType: string;
  readonly base64: string;
}

/** What the model receives for one call. */
export interface Received {
  /** The text parts, one below the other. */
  readonly text: string;
  readonly images: readonly Image[];
}

/** The conversation so far; each request has all of it. */
export interface Turn {
  readonly offered: readonly Offered[];
  /** By the identifiers of their calls. */
  readonly results: ReadonlyMap<string, Received>;
}

/** The messages of one service, as it streams them. */
export interface ServiceForm {
  /** The path of a request for the model's next message. */
  readonly path: RegExp;
  /** The path of other requests that clients make, and do without. */
  readonly aside?: RegExp;
  /** @throws where a result has a part that the form does not know */
  read(body: unknown): Turn;
  call(callId: string, tool: Offered, given: ToolCall["arguments"]): Response;
  /** Ends the conversation. */
  say(text: string): Response;
}

export interface ModelService {
  readonly origin: string;
  /** The tools of the first request that offers one of the script. */
  readonly offered: readonly Offered[];
  /** The results in the order of the script, as far as it came. */
  readonly received: readonly Received[];
  /** The method and path of each request that is no turn, and each fault of the fake. */
  readonly unexpected: readonly string[];
  close(): Promise<void>;
}

/** The last words of the model. */
export const lastWords = "That was the last call.";

/** Starts the service; its model makes these calls. */
export function startModelService(form: ServiceForm, calls: readonly ToolCall[]): ModelService {
  const received: Received[] = [];
  const unexpected: string[] = [];
  let offered: readonly Offered[] = [];
  const answer = (turn: Turn): Response => {
    const result = turn.results.get(idOf(received.length));
    if (result !== undefined) received.push(result);
    const call = calls[received.length];
    const tool = call && turn.offered.find(({ name }) => isNamed(name, call.name));
    // Clients also ask for a title of the conversation, without tools.
    if (call === undefined || tool === undefined) return form.say(lastWords);
    if (offered.length === 0) ({ offered } = turn);
    return form.call(idOf(received.length), tool, call.arguments);
  };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (request.method === "POST" && form.path.test(pathname)) return answer(form.read(await request.json()));
      if (form.aside?.test(pathname) !== true) unexpected.push(`${request.method} ${pathname}`);
      return new Response(null, { status: 404 });
    },
    error(fault) {
      unexpected.push(String(fault));
      return new Response(String(fault), { status: 500 });
    },
  });
  return {
    origin: server.url.origin,
    get offered() {
      return offered;
    },
    received,
    unexpected,
    close: () => server.stop(true),
  };
}

const idOf = (at: number): string => `call_${at}`;

/** Whether a client offers the tool under this name: `mcp__plinth__whoami`, `plinth_whoami` or `whoami`. */
export const isNamed = (name: string, tool: string): boolean => name === tool || name.endsWith(`_${tool}`);

/** A part of a result. */
export type Part = { readonly text: string } | Image;

export function receivedOf(parts: readonly Part[]): Received {
  return {
    text: parts.flatMap((part) => ("text" in part ? [part.text] : [])).join("\n"),
    images: parts.filter((part) => "base64" in part),
  };
}

interface StreamEvent {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** A stream of server-sent events that are named by their type. */
export function eventStream(events: readonly StreamEvent[]): Response {
  return streamOf(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}`));
}

/** A stream of server-sent events without names. */
export const dataStream = (data: readonly string[]): Response => streamOf(data.map((text) => `data: ${text}`));

const streamOf = (events: readonly string[]): Response =>
  new Response(events.map((event) => `${event}\n\n`).join(""), { headers: { "content-type": "text/event-stream" } });
