// What a frame may tell the page around it. The frame's document is hostile: whatever it sends is read as one of these,
// cut to size, and shown as text at most. Who listens compares `event.source` with its frame first (security.md 1).

/** Longest texts that are taken over; the rest is cut off. Characters. */
export const frameMessageLimits = {
  directive: 60,
  address: 300,
  message: 500,
  component: 100,
  place: 10_000_000,
} as const;
/** Heights beyond are taken for this one. CSS pixels. */
export const frameHeightMax = 200_000;

export type FrameMessage =
  /** The address of the frame has run out. */
  | { readonly type: "plinth:expired" }
  /** The policy kept something out: the directive's name, and what was asked for. */
  | { readonly type: "plinth:blocked"; readonly directive: string; readonly address: string }
  /** The document failed; line and column count from 1 in its source. */
  | {
      readonly type: "plinth:error";
      readonly message: string;
      readonly component?: string;
      readonly line?: number;
      readonly column?: number;
    }
  /** How high the whole document is, for printing. */
  | { readonly type: "plinth:height"; readonly height: number }
  /** Where one reads, told to a page that asked to follow: 0 is the top of the document and 1 its end. */
  | { readonly type: "plinth:scroll"; readonly top: number };

/** The message that a value is, cut to its limits; null where it is none. */
export function readFrameMessage(data: unknown): FrameMessage | null {
  if (typeof data !== "object" || data === null) return null;
  const { type, directive, address, message, component, line, column, height, top } = data as Record<string, unknown>;
  const {
    directive: directiveMax,
    address: addressMax,
    message: messageMax,
    component: componentMax,
  } = frameMessageLimits;
  switch (type) {
    case "plinth:expired":
      return { type };
    case "plinth:blocked":
      return { type, directive: text(directive, directiveMax), address: text(address, addressMax) };
    case "plinth:error":
      return {
        type,
        message: text(message, messageMax),
        ...(typeof component === "string" ? { component: text(component, componentMax) } : {}),
        ...(isPlace(line) ? { line } : {}),
        ...(isPlace(column) ? { column } : {}),
      };
    case "plinth:height":
      return typeof height === "number" && height > 0
        ? { type, height: Math.min(Math.ceil(height), frameHeightMax) }
        : null;
    case "plinth:scroll":
      return typeof top === "number" && Number.isFinite(top) ? { type, top: Math.min(1, Math.max(0, top)) } : null;
    default:
      return null;
  }
}

const text = (value: unknown, limit: number): string =>
  typeof value === "string" ? value.slice(0, limit).toWellFormed() : "";

const isPlace = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) > 0 && (value as number) <= frameMessageLimits.place;
