// Formats an artifact's events as server-sent events (WHATWG HTML 9.2). The domain decides which events each reader
// receives.
import { eventId } from "@plinth/domain/events/cursor";
import type { StreamEvent, Attachment } from "@plinth/domain/services";
import type { ArtifactEvents } from "@plinth/domain/events/watch";

/** The browser's delay before it reconnects, in ms. */
const retryMs = 2000;
/** The most bytes that are buffered for a slow reader; one event may exceed it. */
const heldBytes = 16 * 1024;

const text = new TextEncoder();

/** The response that continues until access ends or the reader disconnects. @throws rate_limited, unavailable */
export function eventStream(request: Request, events: ArtifactEvents, headers: Record<string, string>): Response {
  return new Response(streamOf(events, request.headers.get("last-event-id")), {
    headers: {
      ...headers,
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      // A proxy that buffers responses would hold back the events.
      "x-accel-buffering": "no",
    },
  });
}

function streamOf(events: ArtifactEvents, lastEventId: string | null): ReadableStream<Uint8Array> {
  let attachment: Attachment | null = null;
  /** Whether events wait for buffer space. */
  let waits = false;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const write = (written: string) => controller.enqueue(text.encode(written));
        attachment = events.listen(lastEventId, {
          hasRoom() {
            const hasRoom = (controller.desiredSize ?? 0) > 0;
            waits ||= !hasRoom;
            return hasRoom;
          },
          onEvent: (event) => write(written(event)),
          heartbeat: () => write(":\n\n"),
          end: () => controller.close(),
        });
        // The browser stores an identifier without data and dispatches no event for it: a reconnect resumes from here.
        write(`retry: ${retryMs}\nid: ${eventId(attachment.cursor)}\n\n`);
      },
      pull() {
        if (waits) attachment?.look();
        waits = false;
      },
      cancel: () => attachment?.detach(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: heldBytes }),
  );
}

const written = ({ event, data, cursor }: StreamEvent): string =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n${cursor === undefined ? "" : `id: ${eventId(cursor)}\n`}\n`;
