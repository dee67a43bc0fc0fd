// The sandbox of each artifact type, as data. The page that creates the frame and the response inside it must have the
// same sandbox (docs/reference/security.md §1).

/** Sandbox tokens by artifact type. None has allow-same-origin, popups, top navigation or downloads. */
export const FRAME_SANDBOX = {
  md: ["allow-scripts"],
  html: ["allow-scripts", "allow-forms", "allow-modals", "allow-pointer-lock"],
  jsx: ["allow-scripts", "allow-forms", "allow-modals", "allow-pointer-lock"],
} as const;

export type FramedType = keyof typeof FRAME_SANDBOX;

/**
 * A frame shows the document or its highlighted source. The source runs under the rules of markdown, for every type.
 */
export type FrameView = "document" | "source";

/** The type whose sandbox applies to a view of a version. */
export const framedAs = (type: FramedType, view: FrameView): FramedType => (view === "source" ? "md" : type);

/** Turns the content URL of a version's document into the URL of the other view. */
export const viewAddress = <Address extends string>(address: Address, view: FrameView): Address | `${Address}/source` =>
  view === "source" ? `${address}/source` : address;

/** The address of the files beside a version, from the content URL of its document. */
export const filesAddress = <Address extends string>(address: Address): `${Address}/files/` => `${address}/files/`;

/**
 * Features that a document of the type may use, each of which the browser gives after the reader's press alone: games and
 * decks need them. Its origin is opaque, so `*` is what names it.
 */
export const frameFeatures = (type: FramedType): readonly string[] => (type === "md" ? [] : ["fullscreen", "gamepad"]);

/** The attributes of the frame element that shows an artifact of this type. */
export function frameAttributes(type: FramedType) {
  const allow = frameFeatures(type)
    .map((feature) => `${feature} *`)
    .join("; ");
  return { sandbox: frameSandbox(type), allow, referrerpolicy: "no-referrer" } as const;
}

/** The value of the frame's `sandbox` attribute, and of the CSP directive of its response. */
export function frameSandbox(type: FramedType): string {
  return FRAME_SANDBOX[type].join(" ");
}
