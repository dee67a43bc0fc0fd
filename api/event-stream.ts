// An artifact's events written down as server-sent events (WHATWG HTML 9.2). What is told, and to whom, is the domain's.
import { eventId } from "@plinth/domain/watching/state";
import type { News, Attachment } from "@plinth/domain/services";
import type { ArtifactEvents } from "@plinth/domain/watching/watch";

/** After an interruption a browser waits this long, in ms. */
const retryMs = 2000;
/** Held for a reader who does not take it, in bytes; one event may go beyond. */
const heldBytes = 16 * 1024;

const text = new TextEncoder();

/** The response that goes on until access ends or the reader leaves. @throws rate_limited, unavailable */
export function eventStream(request: Request, events: ArtifactEvents, headers: Record<string, string>): Response {
  return new Response(streamOf(events, request.headers.get("last-event-id")), {
    headers: {
      ...headers,
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      // A proxy that gathers what it passes on would keep the events for itself.
      "x-accel-buffering": "no",
    },
  });
}

function streamOf(events: ArtifactEvents, lastEventId: string | null): ReadableStream<Uint8Array> {
  let attachment: Attachment | null = null;
  /** Something may wait until there is room again. */
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
          hear: (news) => write(written(news)),
          beat: () => write(":\n\n"),
          end: () => controller.close(),
        });
        // An identifier without data is kept by the reader and shown to nobody: coming back works from here on.
        write(`retry: ${retryMs}\nid: ${eventId(attachment.heard)}\n\n`);
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

const written = ({ event, data, heard }: News): string =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n${heard === undefined ? "" : `id: ${eventId(heard)}\n`}\n`;
