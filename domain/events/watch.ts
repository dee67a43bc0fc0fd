// GET …/events (docs/reference/contract.md §4): what `invoke` let through, ready to be listened to. How events are
// written down is the surface's.
import type { ArtifactRow } from "../access/resource.ts";
import type { Context } from "../context.ts";
import type { Attachment, Listener } from "../services.ts";

export interface ArtifactEvents {
  /**
   * Begins, after the event with that identifier where there is one.
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
