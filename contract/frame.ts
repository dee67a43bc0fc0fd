// How user content is framed: the sandbox of each artifact type, as data.
// The page that makes the frame and the response inside it must say the same (security.md 1).

const POPUPS = ["allow-popups", "allow-popups-to-escape-sandbox"] as const;

/** Sandbox tokens by artifact type; never allow-same-origin, top navigation or downloads. */
export const FRAME_SANDBOX = {
  md: ["allow-scripts", ...POPUPS],
  html: ["allow-scripts", "allow-forms", "allow-modals", ...POPUPS],
  jsx: ["allow-scripts", "allow-forms", "allow-modals", ...POPUPS],
} as const;

export type FramedType = keyof typeof FRAME_SANDBOX;

/** The attributes of the frame element that shows an artifact of this type. */
export function frameAttributes(type: FramedType) {
  return { sandbox: frameSandbox(type), allow: "", referrerpolicy: "no-referrer" } as const;
}

/** The value of the frame's `sandbox` attribute, and of the CSP directive of its response. */
export function frameSandbox(type: FramedType): string {
  return FRAME_SANDBOX[type].join(" ");
}
