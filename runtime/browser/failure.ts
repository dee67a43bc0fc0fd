// Tells of a failure, in the frame and to the page around it: what happened, in which component, at which place of the
// source. Thrown by the document, an error may hold anything: it is read with care and shown as text.
import type { FrameMessage } from "@plinth/contract/frame-messages";
import { describe } from "./error-words.ts";
import { showFailure, type Failure } from "./error-panel.ts";
import { type Place, placeInSource, stackFrames, stackNames } from "./places.ts";
import { plainMessage } from "./react-messages.ts";

/** One failure often causes others; only this many are reported. */
const MAX_TOLD = 5;
const MAX_MESSAGE = 2_000;

/** Details beside the error itself: React's component stack, or the position that the browser reports. */
export interface FailureContext {
  readonly componentStack?: string | undefined;
  readonly place?: Place & { readonly address: string };
}

const told = new Set<string>();

/** Reports each failure once, up to `MAX_TOLD`. */
export async function tellFailure(error: unknown, context: FailureContext = {}): Promise<void> {
  const message = plainMessage(describe(error)).slice(0, MAX_MESSAGE);
  if (told.has(message) || told.size >= MAX_TOLD) return;
  told.add(message);
  const failure: Failure = { message, ...(await whereabouts(error, context)) };
  showFailure(failure);
  window.parent.postMessage({ type: "plinth:error", ...failure } satisfies FrameMessage, "*");
}

async function whereabouts(
  error: unknown,
  { componentStack, place }: FailureContext,
): Promise<Omit<Failure, "message">> {
  const address = documentAddress();
  const inDocument = place && place.address.replace(/#.*$/, "") === address ? [{ name: "", ...place }] : [];
  const [thrown] = [...stackFrames(stackOf(error), address), ...inDocument];
  const around = componentStack ?? "";
  const [component] = stackFrames(around, address);
  return placeInSource(thrown ?? component, [...(component ? [component.name] : []), ...stackNames(around)]);
}

const documentAddress = (): string => location.href.replace(/#.*$/, "");

function stackOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.stack) : "";
  } catch {
    return ""; // as above: then its place is not known
  }
}
