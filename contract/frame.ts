// How user content is framed: the sandbox of each artifact type, as data.
// The page that makes the frame and the response inside it must say the same (docs/reference/security.md §1).

/** Sandbox tokens by artifact type; never allow-same-origin, popups, top navigation or downloads. */
export const FRAME_SANDBOX = {
  md: ["allow-scripts"],
  html: ["allow-scripts", "allow-forms", "allow-modals"],
  jsx: ["allow-scripts", "allow-forms", "allow-modals"],
} as const;

export type FramedType = keyof typeof FRAME_SANDBOX;

/** What of a version a frame shows: the document, or its source highlighted, which runs like markdown whatever it is. */
export type FrameView = "document" | "source";

/** Whose rules hold for a view of a version of that type. */
export const framedAs = (type: FramedType, view: FrameView): FramedType => (view === "source" ? "md" : type);

/** The address of the other view of a version, from a content address of its document. */
export const viewAddress = <Address extends string>(address: Address, view: FrameView): Address | `${Address}/source` =>
  view === "source" ? `${address}/source` : address;

/** The attributes of the frame element that shows an artifact of this type. */
export function frameAttributes(type: FramedType) {
  return { sandbox: frameSandbox(type), allow: "", referrerpolicy: "no-referrer" } as const;
}

/** The value of the frame's `sandbox` attribute, and of the CSP directive of its response. */
export function frameSandbox(type: FramedType): string {
  return FRAME_SANDBOX[type].join(" ");
}
