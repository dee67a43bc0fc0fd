// What a frame may tell the page around it. The frame's document is hostile: whatever it sends is read as one of these,
// cut to size, and shown as text at most. Who listens compares `event.source` with its frame first
// (docs/reference/security.md §1).

/** Longest texts that are taken over; the rest is cut off. Characters. */
export const frameMessageLimits = {
  directive: 60,
  address: 300,
  message: 500,
  component: 100,
  place: 10_000_000,
  /** A longer URL is refused: a reader who decides about it sees all of it. */
  url: 8_192,
  name: 120,
  copied: 1_000_000,
} as const;
/** A larger file is refused. Bytes. */
export const frameSaveMax = 64 * 1024 * 1024;
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
  | { readonly type: "plinth:scroll"; readonly top: number }
  /** The reader followed a link. As the author wrote it: the page resolves it, and may refuse it. */
  | { readonly type: "plinth:open"; readonly url: string }
  /** The document offers a file. */
  | { readonly type: "plinth:save"; readonly name: string; readonly content: Blob }
  /** The document copies a text. Whether it was copied is answered on the port that comes with it, as a boolean. */
  | { readonly type: "plinth:copy"; readonly text: string };

/** The message that a value is, cut to its limits; null where it is none. */
export function readFrameMessage(data: unknown): FrameMessage | null {
  if (typeof data !== "object" || data === null) return null;
  const fields = data as Record<string, unknown>;
  const { type, directive, address, message, component, line, column, height, top } = fields;
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
      return readRequest(fields);
  }
}

/** What needs the page's help. Nothing is cut off but names: half a URL, file or text would be another one. */
function readRequest({ type, url, name, content, text: copied }: Record<string, unknown>): FrameMessage | null {
  switch (type) {
    case "plinth:open":
      return isWithin(url, frameMessageLimits.url) ? { type, url: url.toWellFormed() } : null;
    case "plinth:save":
      return content instanceof Blob && content.size <= frameSaveMax
        ? { type, name: text(name, frameMessageLimits.name), content }
        : null;
    case "plinth:copy":
      return isWithin(copied, frameMessageLimits.copied) ? { type, text: copied.toWellFormed() } : null;
    default:
      return null;
  }
}

const isWithin = (value: unknown, limit: number): value is string =>
  typeof value === "string" && value !== "" && value.length <= limit;

const text = (value: unknown, limit: number): string =>
  typeof value === "string" ? value.slice(0, limit).toWellFormed() : "";

const isPlace = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) > 0 && (value as number) <= frameMessageLimits.place;
