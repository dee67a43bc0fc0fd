// Messages from a frame to the page around it. The frame's document is hostile: the page accepts only these messages,
// cuts them to size, and shows them as text at most. The listener compares `event.source` with its frame first
// (docs/reference/security.md §1).

/** The longest texts, in characters; the rest is cut off. */
export const frameMessageLimits = {
  directive: 60,
  address: 300,
  message: 500,
  component: 100,
  place: 10_000_000,
  /** A longer URL is refused: the reader decides about the complete URL. */
  url: 8_192,
  name: 120,
  copied: 1_000_000,
} as const;
/** In bytes; a larger file is refused. */
export const frameSaveMax = 64 * 1024 * 1024;
/** In CSS pixels; a greater height is reduced to this one. */
export const frameHeightMax = 200_000;

export type FrameMessage =
  /** A document begins. The port of the message posts once, when the document is left. */
  | { readonly type: "plinth:started" }
  /** The frame's URL has expired; the query with which it was loaded. */
  | { readonly type: "plinth:expired"; readonly query: string }
  /** The content security policy blocked a load: the directive's name and the URL; or the sandbox the "feature" of a name. */
  | { readonly type: "plinth:blocked"; readonly directive: string; readonly address: string }
  /** The document threw an error; line and column count from 1 in its source. */
  | {
      readonly type: "plinth:error";
      readonly message: string;
      readonly component?: string;
      readonly line?: number;
      readonly column?: number;
    }
  /** Whether an html document shows nothing, sent where something of it was blocked or failed. */
  | { readonly type: "plinth:blank"; readonly isBlank: boolean }
  /** The height of the whole document, for printing. */
  | { readonly type: "plinth:height"; readonly height: number }
  /** The reading position, sent to a page that asked to follow: 0 is the top of the document and 1 its end. */
  | { readonly type: "plinth:scroll"; readonly top: number }
  /** The reader followed a link. The URL is as the author wrote it: the page resolves it, and may refuse it. */
  | { readonly type: "plinth:open"; readonly url: string }
  /** The document offers a file for download. */
  | { readonly type: "plinth:save"; readonly name: string; readonly content: Blob }
  /**
   * The document copies a text. The page answers on the port of the message whether the copy succeeded, as a boolean.
   */
  | { readonly type: "plinth:copy"; readonly text: string };

/** Reads a value as a message and cuts it to its limits; null where it is not a message. */
export function readFrameMessage(data: unknown): FrameMessage | null {
  if (typeof data !== "object" || data === null) return null;
  const fields = data as Record<string, unknown>;
  const { type, directive, address, message, component, line, column, isBlank, height, top } = fields;
  const {
    directive: directiveMax,
    address: addressMax,
    message: messageMax,
    component: componentMax,
  } = frameMessageLimits;
  switch (type) {
    case "plinth:started":
      return { type };
    case "plinth:expired":
      return { type, query: isWithin(fields["query"], frameMessageLimits.url) ? fields["query"] : "" };
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
    case "plinth:blank":
      return typeof isBlank === "boolean" ? { type, isBlank } : null;
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

/**
 * Requests that the page must carry out. Only names are cut: a shortened URL, file or text would be a different one.
 */
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
