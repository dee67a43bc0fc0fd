// The messages a frame may send its page.

/** Whether a message says that the frame's address has run out. */
export function isExpiredMessage(data: unknown): boolean {
  return typeof data === "object" && data !== null && "type" in data && data.type === "plinth:expired";
}
