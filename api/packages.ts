// Kept files of packages, which documents load: immutable, with a hash in the URL (docs/architecture/packages.md).
import type { Database } from "@plinth/db/connection";
import { packagesPath } from "@plinth/domain/packages/address";
import { codingOf } from "@plinth/platform/accept-encoding";
import { packageFile } from "@plinth/domain/packages/package-file";
import { percentDecoded } from "@plinth/platform/malformed";

/** Whether an `Accept-Encoding` accepts zstd, in which contents are stored. */
export const acceptsZstd = (accepted: string | null): boolean => codingOf(accepted, ["zstd"]) !== null;

/** The file at `/_packages/<package>/<path>`; null where none is kept. */
export async function packageResponse(db: Database, request: Request): Promise<Response | null> {
  const [, sha256 = "", encoded = ""] = new URL(request.url).pathname
    .slice(packagesPath.length - 1)
    .split(/^\/([^/]*)\//);
  const path = percentDecoded(encoded);
  if (path === null) return null;
  const accepted = request.headers.get("accept-encoding");
  const file = await packageFile(db, { sha256, path, takesZstd: acceptsZstd(accepted) });
  return file === null ? null : new Response(Buffer.from(file.bytes), { headers: file.headers });
}
