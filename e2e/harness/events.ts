// Reads an artifact's event stream. Knows the framing of server-sent events, but no artifact.
import { credentialHeaders } from "./http.ts";

export interface ReceivedEvent {
  readonly event: string;
  readonly data: Record<string, unknown>;
  readonly id: string | null;
}

export interface EventStream {
  readonly status: number;
  readonly headers: Headers;
  readonly events: readonly ReceivedEvent[];
  /** The last event ID it started from or received. */
  readonly lastEventId: string | null;
  /** Settles when the server ends it, or when it is closed here. */
  readonly ended: Promise<void>;
  close(): void;
}

export interface Opening {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Opens a stream and waits for its first bytes, so that all later events are received. */
export async function openEvents(origin: string, artifactId: string, opening: Opening = {}): Promise<EventStream> {
  const url = `${origin}/api/artifacts/${artifactId}/events`;
  const leaving = new AbortController();
  const headers = { ...credentialHeaders(url, opening.token), ...opening.headers };
  const response = await fetch(url, { headers, signal: leaving.signal });
  const events: ReceivedEvent[] = [];
  const begun = Promise.withResolvers<void>();
  const state = { lastEventId: null as string | null };
  const receive = (block: string) => {
    const fields = new Map(
      block.split("\n").map((line) => [line.split(": ", 1)[0] ?? "", line.replace(/^\w*: ?/, "")]),
    );
    const id = fields.get("id") ?? null;
    state.lastEventId = id ?? state.lastEventId;
    const data = fields.get("data");
    if (data !== undefined) {
      events.push({ event: fields.get("event") ?? "message", data: JSON.parse(data) as Record<string, unknown>, id });
    }
    begun.resolve();
  };
  const read = async () => {
    const decoder = new TextDecoder();
    let text = "";
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) receive(block);
    }
  };
  const ended = read()
    .catch(() => undefined)
    .finally(() => begun.resolve());
  await begun.promise;
  return {
    status: response.status,
    headers: response.headers,
    events,
    get lastEventId() {
      return state.lastEventId;
    },
    ended,
    close: () => leaving.abort(),
  };
}

/** Waits until it returns true. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await Bun.sleep(10);
}
