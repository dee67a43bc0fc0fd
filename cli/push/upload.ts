// Uploads the files of documents by their hashes: only those that the service does not have, several at once, each once.
import type { Client } from "@plinth/contract/client";
import { filesLimits } from "@plinth/contract/limits";
import { createKeyedSemaphore } from "@plinth/platform/keyed-semaphore";
import type { DocumentFile } from "@plinth/contract/publishing/references/collect";

import { usage } from "../failure/failure.ts";
import { readFileBounded } from "../files/bounded-read.ts";
import { digestOf } from "../files/digest.ts";

const atOnce = 4;

/** Where the files go: a workspace by its owner, or the artifact that they are published with. */
export type UploadTarget = { readonly ownerUsername: string | undefined } | { readonly artifactId: string };

export interface Uploader {
  /** Uploads what is missing. A file that cannot be uploaded fails `upload` of the documents that have it. */
  prepare(files: readonly DocumentFile[]): Promise<void>;
  /** The number of these files that this run has uploaded. @throws ProblemError, Failure */
  upload(files: readonly DocumentFile[]): Promise<number>;
  /** Hashes that the service does not have, without an upload. */
  missing(files: readonly DocumentFile[]): Promise<ReadonlySet<string>>;
  /** Files and bytes of this run. */
  readonly sent: { files: number; bytes: number };
}

export function createUploader(target: UploadTarget, client: Client): Uploader {
  const turns = createKeyedSemaphore({ atOnce, ofOneCaller: atOnce });
  /** By hash; true where this run has uploaded it. */
  const uploads = new Map<string, Promise<boolean>>();
  const sent = { files: 0, bytes: 0 };

  async function askMissing(hashes: readonly string[]): Promise<Set<string>> {
    const missing = new Set<string>();
    for (let at = 0; at < hashes.length; at += filesLimits.files) {
      const sha256 = hashes.slice(at, at + filesLimits.files);
      const answer =
        "artifactId" in target
          ? await client.call("file.missingOfArtifact", { ...target, sha256 })
          : await client.call("file.missing", { ...ownerOf(target), sha256 });
      for (const hash of answer.missing) missing.add(hash);
    }
    return missing;
  }

  async function send({ place, sha256, path }: DocumentFile): Promise<boolean> {
    const bytes = await readFileBounded(place, filesLimits.fileBytes);
    if ("tooLarge" in bytes || digestOf(bytes).sha256 !== sha256)
      throw usage(`${path} changed while it was being published`, { hint: "Run it again" });
    const file = new Uint8Array(bytes);
    await ("artifactId" in target
      ? client.call("file.uploadToArtifact", { ...target, sha256 }, { file })
      : client.call("file.upload", { ...ownerOf(target), sha256 }, { file }));
    sent.files++;
    sent.bytes += bytes.length;
    return true;
  }

  async function start(files: readonly DocumentFile[]): Promise<void> {
    const fresh = [...new Map(files.map((file) => [file.sha256, file])).values()].filter(
      ({ sha256 }) => !uploads.has(sha256),
    );
    if (fresh.length === 0) return;
    const missing = askMissing(fresh.map(({ sha256 }) => sha256));
    for (const file of fresh) {
      const upload = missing.then((hashes) => hashes.has(file.sha256) && turns("", () => send(file)));
      // Publishing the document awaits it; until then a failure must not end the process.
      upload.catch(() => {});
      uploads.set(file.sha256, upload);
    }
    await missing;
  }

  return {
    sent,
    missing: (files) => askMissing([...new Set(files.map(({ sha256 }) => sha256))]),
    async prepare(files) {
      // The documents of these files meet the failure too.
      await start(files).catch(() => {});
      await Promise.allSettled(files.flatMap(({ sha256 }) => uploads.get(sha256) ?? []));
    },
    async upload(files) {
      await start(files);
      const hashes = [...new Set(files.map(({ sha256 }) => sha256))];
      const done = await Promise.all(hashes.flatMap((hash) => uploads.get(hash) ?? []));
      return done.filter(Boolean).length;
    },
  };
}

const ownerOf = ({ ownerUsername }: { readonly ownerUsername: string | undefined }) =>
  ownerUsername === undefined ? {} : { ownerUsername };
