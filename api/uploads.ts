// `PUT /api/uploads/<ticket>`: a one-time URL for a file. The ticket is the only credential; cookies and bearer tokens are
// not read.
import { AppError } from "@plinth/contract/errors";
import type { Instance } from "@plinth/domain/context";
import { keepUpload, redeemUpload } from "@plinth/domain/files/one-time-upload";
import { fileTooLarge } from "@plinth/domain/files/upload";
import type { Elysia } from "elysia";

import { readFile } from "./body.ts";
import { shownPrincipal, type MetaOf, type RequestMeta } from "./request-meta.ts";
import { sized } from "./respond.ts";

export function addUploads(app: Elysia, instance: Instance, metaOf: MetaOf): void {
  app.put(
    "/api/uploads/:ticket",
    ({ request, params: { ticket } }) => receive(instance, request, ticket, metaOf(request)),
    { parse: "none" },
  );
}

const hint = "Publish it with contentSha256 as the text, in files with a path, or with archiveSha256 as a zip of both";

/** @throws not_found, rate_limited, content_too_large, invalid_request, storage_limit_reached, unavailable */
async function receive(instance: Instance, request: Request, ticket: string, meta: RequestMeta): Promise<Response> {
  const upload = await redeemUpload(instance, ticket, meta);
  const { maxBytes } = upload.ticket;
  meta.learned.principal = shownPrincipal(upload.context.principal);
  const file = await readFile(request, {
    limitBytes: maxBytes,
    tooLarge: fileTooLarge(maxBytes, "Ask for a URL with a greater sizeBytes"),
    // The ticket has already been redeemed.
    identify: () => Promise.resolve(upload.countedAs),
    keep: meta.atEnd,
  });
  if (file instanceof AppError) throw file;
  const answer = JSON.stringify({ ...(await keepUpload(upload, file)), hint });
  return sized(answer, {
    "content-type": "application/json",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
  });
}
