// GET …/events (docs/reference/contract.md §4): the event stream of a call that `invoke` authorized. The surface encodes
// the events.
import type { ArtifactRow } from "../access/resource.ts";
import type { Context } from "../context.ts";
import type { Attachment, Listener } from "../services.ts";

export interface ArtifactEvents {
  /**
   * Starts the stream, after the event with the given identifier if there is one.
   * @throws rate_limited, unavailable
   */
  listen(lastEventId: string | null, listener: Listener): Attachment;
}

export const watchArtifact = (
  { watching, call, principal }: Context,
  _input: unknown,
  artifact: ArtifactRow,
): ArtifactEvents => ({
  listen: (lastEventId, listener) => watching.attach({ call, principal, artifact }, lastEventId, listener),
});
