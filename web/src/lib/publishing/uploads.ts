// Uploads files by their hashes: only those that the service does not have, several at once, with its progress told.
import type { Problem } from "@plinth/contract/errors";
import { createKeyedSemaphore } from "@plinth/platform/keyed-semaphore";
import { askApi } from "#lib/ask-api.ts";
import { documentFilesTexts } from "#messages/document-files.ts";

export interface UploadedFile {
  readonly path: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly file: File;
}

/** Of the files that have to be uploaded. */
export interface Progress {
  readonly files: number;
  readonly of: number;
  readonly bytes: number;
  readonly ofBytes: number;
}

/** A workspace, or the artifact that the files are published with. */
export type UploadTarget = { readonly workspaceId: string } | { readonly artifactId: string };

const atOnce = 4;

/**
 * Null where all of them are there; else the first refusal, which names its file. Files that were uploaded before it are
 * kept, so that another try sends the others alone.
 */
export async function uploadFiles(
  target: UploadTarget,
  files: readonly UploadedFile[],
  tell: (progress: Progress) => void,
): Promise<Problem | null> {
  const own = "artifactId" in target;
  const place = own ? `/api/artifacts/${target.artifactId}/uploads` : "/api/files";
  const query = own ? "" : `?workspaceId=${encodeURIComponent(target.workspaceId)}`;
  const each = new Map(files.map((file) => [file.sha256, file]));
  if (each.size === 0) return null;
  const asked = await askApi<{ missing: string[] }>(`${place}/missing`, {
    method: "POST",
    body: { ...(own ? {} : target), sha256: [...each.keys()] },
  });
  if (!asked.ok) return asked.problem;

  const missing = asked.body.missing.flatMap((sha256) => each.get(sha256) ?? []);
  let progress: Progress = {
    files: 0,
    of: missing.length,
    bytes: 0,
    ofBytes: missing.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  };
  if (missing.length > 0) tell(progress);
  let refused: Problem | null = null;
  const turns = createKeyedSemaphore({ atOnce, ofOneCaller: atOnce });
  async function send({ path, sha256, sizeBytes, file }: UploadedFile): Promise<void> {
    // The same refusal would meet the others, or the network is away.
    if (refused !== null) return;
    const sent = await askApi(`${place}/${sha256}${query}`, { method: "PUT", file });
    if (sent.ok) tell((progress = { ...progress, files: progress.files + 1, bytes: progress.bytes + sizeBytes }));
    else {
      const reason = await reasonOf(sent.problem, file);
      refused ??= { ...sent.problem, detail: documentFilesTexts().notUploaded({ path, reason }) };
    }
  }
  await Promise.all(missing.map((file) => turns("", () => send(file))));
  return refused;
}

/** A browser sends no file that has changed since it was chosen, and calls that a network that is away. */
async function reasonOf({ code, detail }: Problem, file: File): Promise<string> {
  if (code !== "unavailable") return detail;
  try {
    await file.slice(0, 1).arrayBuffer();
    return detail;
  } catch {
    return documentFilesTexts().changedSince;
  }
}
