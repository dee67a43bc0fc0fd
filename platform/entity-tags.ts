// ETags as conditional requests compare them (RFC 9110 8.8.3).

/** Whether `If-None-Match` names the tag, by the weak comparison (RFC 9110 13.1.2). */
export const isHeld = (held: string | null, tag: string): boolean =>
  held !== null &&
  (held === tag || held.trim() === "*" || held.split(",").some((candidate) => opaqueTag(candidate) === opaqueTag(tag)));

/** The tag without the mark of a weak one. */
export const opaqueTag = (tag: string): string => tag.trim().replace(/^W\//, "");

/** The tag of a form of the same answer that has other bytes. */
export const weakTag = (tag: string): string => `W/${opaqueTag(tag)}`;
