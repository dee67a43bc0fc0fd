// A part of bytes by `Range` (RFC 9110 14): a single range, guarded by `If-Range`.

/** The part that the request asks for, or 416; null where it is to get all of them. Expects headers with a strong `etag`. */
export function rangeResponse(
  request: Request,
  bytes: Uint8Array,
  headers: Readonly<Record<string, string>>,
): Response | null {
  const asked = request.headers.get("range");
  if (asked === null || !isCurrent(request.headers.get("if-range"), headers["etag"])) return null;
  const range = rangeOf(asked, bytes.length);
  if (range === null) return null;
  if (range === "unsatisfiable")
    return new Response(null, { status: 416, headers: { ...headers, "content-range": `bytes */${bytes.length}` } });
  const part = bytes.subarray(range.first, range.last + 1) as Uint8Array<ArrayBuffer>;
  const contentRange = `bytes ${range.first}-${range.last}/${bytes.length}`;
  const ofPart = { "content-range": contentRange, "content-length": String(part.length) };
  return new Response(part, { status: 206, headers: { ...headers, ...ofPart } });
}

/** A part of other bytes than those that the caller has would be of no use. A date is never current: nothing has one. */
const isCurrent = (condition: string | null, tag: string | undefined): boolean =>
  condition === null || condition.trim() === tag;

/** The first and last byte of a single range; null for all of them (RFC 9110 14.2: what is not understood is ignored). */
function rangeOf(header: string, size: number): { first: number; last: number } | "unsatisfiable" | null {
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/.exec(header.trim()) ?? [];
  if (from === "" && to === "") return null;
  if (from !== "" && to !== "" && Number(to) < Number(from)) return null;
  const first = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  return first > last ? "unsatisfiable" : { first, last };
}
