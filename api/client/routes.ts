// The routes from which people, scripts and npm get the command line of this instance (docs/reference/contract.md §4).
import type { Instance } from "@plinth/domain/context";
import { notFound } from "@plinth/domain/access/refusals";
import { addressKey, requireAllowance } from "@plinth/domain/rate-limit";
import type { Elysia } from "elysia";

import { guide } from "../docs.ts";
import type { MetaOf } from "../request-meta.ts";
import { fresh } from "../respond.ts";
import { packageFile, type ClientFile, type ClientFiles } from "./client-files.ts";
import { installScript } from "./install-script.ts";

/** Adds the routes. A process without built clients answers not_found for their files. */
export function addClient(app: Elysia, instance: Instance, files: ClientFiles | null, metaOf: MetaOf): void {
  const script = installScript(instance.config.publicUrl);
  /** Counts a download among the reads of its IP address. @throws rate_limited */
  async function count(request: Request): Promise<void> {
    const allowance = await instance.limiter.take("reads", addressKey(metaOf(request).address));
    if (allowance !== null) requireAllowance(allowance);
  }
  async function download(request: Request, name: string): Promise<Response> {
    await count(request);
    const file = await files?.find(name);
    if (file === undefined || file === null) throw notFound();
    return fileResponse(request, name, file);
  }
  app
    .get("/install.sh", async ({ request }) => {
      await count(request);
      return guide(script, "text/plain");
    })
    .get("/_cli/SHA256SUMS", async ({ request }) => {
      await count(request);
      const sums = await files?.sums();
      if (sums === undefined || sums === null) throw notFound();
      return guide(sums, "text/plain");
    })
    .get("/_cli/:file", ({ request, params }) => download(request, params.file))
    .get("/cli.tgz", ({ request }) => download(request, packageFile));
}

function fileResponse(request: Request, name: string, { path, sha256 }: ClientFile): Response {
  const headers = {
    etag: `"${sha256}"`,
    "cache-control": "no-cache",
    "x-content-type-options": "nosniff",
    "content-type": "application/gzip",
    "content-disposition": `attachment; filename="${name}"`,
  };
  return fresh(request, headers) ?? new Response(Bun.file(path), { headers });
}
