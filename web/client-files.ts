// The built client files in memory: content type, compressed forms, ETag and cache lifetime of each.
// Knows nothing of pages; an address it does not hold is not its business.
import { join } from "node:path";
import { Glob } from "bun";
import { codingOf } from "@plinth/platform/accept-encoding";

interface ClientFile {
  body: Uint8Array<ArrayBuffer>;
  br: Uint8Array<ArrayBuffer> | undefined;
  gzip: Uint8Array<ArrayBuffer> | undefined;
  headers: Record<string, string>;
}

export type ClientFiles = (request: Request, pathname: string) => Response | undefined;

/** Reads every file of the built client (about 1 MB) and returns what answers for them. */
export async function loadClientFiles(directory: string): Promise<ClientFiles> {
  const paths = await Array.fromAsync(new Glob("**/*").scan({ cwd: directory, dot: true }));
  const known = new Set(paths);
  const files = new Map<string, ClientFile>();
  await Promise.all(
    paths.map(async (path) => {
      if (isCompressedForm(path, known)) return;
      files.set(`/${path}`, await readClientFile(directory, path, known));
    }),
  );
  return (request, pathname) => {
    const file = files.get(pathname);
    if (file === undefined || (request.method !== "GET" && request.method !== "HEAD")) return undefined;
    return respond(request, file);
  };
}

function isCompressedForm(path: string, known: Set<string>): boolean {
  return /\.(?:br|gz)$/.test(path) && known.has(path.slice(0, -3));
}

async function readClientFile(directory: string, path: string, known: Set<string>): Promise<ClientFile> {
  const file = Bun.file(join(directory, path));
  const body = await file.bytes();
  const compressed = async (extension: string) =>
    known.has(path + extension) ? await Bun.file(join(directory, path + extension)).bytes() : undefined;
  const etag = new Bun.CryptoHasher("sha256").update(body).digest("base64url").slice(0, 22);
  return {
    body,
    br: await compressed(".br"),
    gzip: await compressed(".gz"),
    headers: {
      "content-type": file.type,
      etag: `"${etag}"`,
      "cache-control": path.includes("/immutable/") ? "public, max-age=31536000, immutable" : "public, no-cache",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
    },
  };
}

function respond(request: Request, file: ClientFile): Response {
  const headers = new Headers(file.headers);
  if (file.gzip !== undefined) headers.set("vary", "Accept-Encoding");
  if (request.headers.get("if-none-match") === file.headers.etag) return new Response(null, { status: 304, headers });
  const coding = codingOf(
    request.headers.get("accept-encoding"),
    (["br", "gzip"] as const).filter((each) => file[each] !== undefined),
  );
  const body = (coding && file[coding]) ?? file.body;
  if (coding !== null) headers.set("content-encoding", coding);
  headers.set("content-length", String(body.byteLength));
  return new Response(request.method === "HEAD" ? null : body, { headers });
}
