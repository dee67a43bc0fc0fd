// The body of an answer that is made after a wait, so that headers and body leave in one write.

/** From this many bytes on, Bun sends a late answer with several system calls for each of its headers. */
const separatedFrom = 14 * 1024;
/** From this many bytes on, those calls do not matter, and the body would be buffered for them. */
const largeFrom = 1024 * 1024;

/** Whether Bun joins the bytes to the headers of a late answer. */
export const isShort = ({ byteLength }: Uint8Array): boolean => byteLength < separatedFrom;

/**
 * The bytes as a body that Bun sends together with the headers. Short and very long bodies are the bytes
 * themselves; others are a stream that Bun buffers whole and sends with its length.
 */
export function wholeBody(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> {
  if (isShort(bytes) || bytes.byteLength >= largeFrom) return bytes;
  const source: unknown = {
    type: "direct",
    pull(controller: ReadableStreamDirectController) {
      void controller.write(bytes);
      void controller.end();
    },
  };
  // The types of the constructor leave out Bun's kind of source where they know the DOM's.
  return new ReadableStream(source as UnderlyingSource<Uint8Array>, { highWaterMark: bytes.byteLength + 1 });
}

/** The answer to HEAD: the headers of the answer to GET, where they include its length. */
export function withoutBody(response: Response): Response {
  const { status, headers } = response;
  return headers.has("content-length") ? new Response(null, { status, headers }) : response;
}
