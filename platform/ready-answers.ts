// Answers that many readers get, kept as bytes: made once, compressed once for each coding, sent again as they are. They
// know nothing about access: the caller decides first that the reader may see the answer.
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync, gzipSync } from "node:zlib";

import { codingOf } from "./accept-encoding.ts";
import { caches, createCache } from "./caches.ts";
import { isHeld, weakTag } from "./entity-tags.ts";
import { isShort, wholeBody } from "./whole-body.ts";

type Bytes = Uint8Array<ArrayBuffer>;
type Form = "identity" | "br" | "gzip";

/** An answer as it is made. */
export interface MadeAnswer {
  readonly body: string | Bytes;
  /** With the `etag` of the uncompressed body, without its length. */
  readonly headers: Iterable<readonly [string, string]>;
}

/** An answer in one form, with its length among the headers. */
export interface PlainAnswer {
  readonly body: Bytes | Blob;
  readonly headers: Headers;
}

export interface ReadyAnswer {
  /** The answer in the first coding that the reader accepts, or 304 where the reader has it; `own` adds headers. */
  answer(request: Pick<Request, "headers">, own?: Readonly<Record<string, string>>): Response;
}

export interface ReadyAnswers {
  /** The answer that was kept under the key, which names everything that the answer is made of. */
  find(key: string): ReadyAnswer | null;
  keep(key: string, made: MadeAnswer): ReadyAnswer;
  /** Keeps an answer that is sent in no other coding. */
  keepPlain(key: string, made: PlainAnswer): ReadyAnswer;
  /** The bytes of all bodies and headers that are kept. */
  readonly keptBytes: number;
}

/** Keeps answers in a cache of the list (caches.ts); those that were not asked for the longest go first. */
export function createReadyAnswers(
  name: "readyReads" | "readyPages" | "framedDocuments",
  maxBytes: number = caches[name].most.bytes,
): ReadyAnswers {
  const kept = createCache<Kept | Plain>(name, { sizeCalculation: (one) => one.size }, { bytes: maxBytes });
  return {
    find: (key) => kept.get(key) ?? null,
    keep(key, made) {
      const one = new Kept(made, key.length, () => {
        // The cache asks for the size of a new entry alone.
        kept.delete(key);
        kept.set(key, one);
      });
      kept.set(key, one);
      return one;
    },
    keepPlain(key, made) {
      const one = new Plain(made, key.length);
      kept.set(key, one);
      return one;
    },
    get keptBytes() {
      return kept.calculatedSize;
    },
  };
}

/** Headers that say what is in a body; 304 has none. */
const ofBody: ReadonlySet<string> = new Set(["content-type", "content-disposition", "content-length"]);

/** The overhead of an entry, in bytes. */
const entryBytes = 512;
/** The same of a plain answer, with what its `Headers` are outside of the heap. */
const plainBytes = 2048;

class Kept implements ReadyAnswer {
  size = 0;
  readonly #tag: string;
  readonly #fixedBytes: number;
  readonly #headers: Record<Form, Headers>;
  readonly #unchanged: Headers;
  /** Only those that a reader asked for; each can be made from another. */
  readonly #forms = new Map<Form, Bytes>();
  readonly #resized: () => void;
  /** Whether the uncompressed body, which it is made with, was asked for. */
  #isPlainAsked = false;

  constructor({ body, headers }: MadeAnswer, keyLength: number, resized: () => void) {
    const given = new Headers([...headers].map(([name, value]) => [name, value]));
    this.#tag = given.get("etag") ?? "";
    given.set("vary", [given.get("vary"), "Accept-Encoding"].filter((part) => part !== null).join(", "));
    const coded = (coding: Form) => {
      const own = new Headers(given);
      own.set("etag", weakTag(this.#tag));
      own.set("content-encoding", coding);
      return own;
    };
    this.#headers = { identity: given, br: coded("br"), gzip: coded("gzip") };
    this.#unchanged = unchangedOf(given);
    this.#fixedBytes = entryBytes + 2 * keyLength + 4 * bytesOf(given);
    this.#resized = resized;
    this.#keep("identity", typeof body === "string" ? new TextEncoder().encode(body) : body);
  }

  answer({ headers }: Pick<Request, "headers">, own: Readonly<Record<string, string>> = {}): Response {
    if (isHeld(headers.get("if-none-match"), this.#tag))
      return withHeaders(own, new Response(null, { status: 304, headers: this.#unchanged }));
    const form = codingOf(headers.get("accept-encoding"), ["br", "gzip"]) ?? "identity";
    // The length of a form is known once it is made.
    const body = this.#in(form);
    return withHeaders(own, new Response(wholeBody(body), { headers: this.#headers[form] }));
  }

  #in(form: Form): Bytes {
    if (form === "identity") this.#isPlainAsked = true;
    const has = this.#forms.get(form);
    if (has !== undefined) return has;
    const plain = this.#plain();
    const made = form === "identity" ? plain : compress[form](plain);
    this.#keep(form, made);
    if (!this.#isPlainAsked) this.#forms.delete("identity");
    this.#resize();
    this.#resized();
    return made;
  }

  #plain(): Bytes {
    const [plain, br, gzip] = (["identity", "br", "gzip"] as const).map((form) => this.#forms.get(form));
    if (plain !== undefined) return plain;
    if (br !== undefined) return Uint8Array.from(brotliDecompressSync(br));
    if (gzip !== undefined) return Uint8Array.from(gunzipSync(gzip));
    throw new Error("an answer was kept without a body");
  }

  #keep(form: Form, bytes: Bytes): void {
    this.#forms.set(form, bytes);
    this.#headers[form].set("content-length", String(bytes.byteLength));
    this.#resize();
  }

  #resize(): void {
    this.size = this.#fixedBytes + [...this.#forms.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
  }
}

class Plain implements ReadyAnswer {
  readonly size: number;
  readonly #tag: string;
  readonly #body: Bytes | Blob;
  readonly #headers: Headers;
  /** Made for the first reader who has the answer. */
  #unchanged: Headers | null = null;

  constructor({ body, headers }: PlainAnswer, keyLength: number) {
    this.#tag = headers.get("etag") ?? "";
    // The server would copy short bytes for each answer.
    this.#body = body instanceof Blob || !isShort(body) ? body : new Blob([body]);
    this.#headers = headers;
    const bodyBytes = body instanceof Blob ? body.size : body.byteLength;
    this.size = plainBytes + 2 * keyLength + 2 * bytesOf(headers) + bodyBytes;
  }

  answer({ headers }: Pick<Request, "headers">, own: Readonly<Record<string, string>> = {}): Response {
    if (isHeld(headers.get("if-none-match"), this.#tag)) {
      this.#unchanged ??= unchangedOf(this.#headers);
      return withHeaders(own, new Response(null, { status: 304, headers: this.#unchanged }));
    }
    const body = this.#body instanceof Blob ? this.#body : wholeBody(this.#body);
    return withHeaders(own, new Response(body, { headers: this.#headers }));
  }
}

function withHeaders(own: Readonly<Record<string, string>>, response: Response): Response {
  for (const name in own) response.headers.set(name, own[name] ?? "");
  return response;
}

/** The headers of 304. */
const unchangedOf = (headers: Headers): Headers => new Headers([...headers].filter(([name]) => !ofBody.has(name)));

const bytesOf = (headers: Headers): number =>
  [...headers].reduce((sum, [name, value]) => sum + name.length + value.length, 0);

const compress = {
  br: (plain: Bytes): Bytes =>
    Uint8Array.from(brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })),
  gzip: (plain: Bytes): Bytes => Uint8Array.from(gzipSync(plain)),
} as const;
