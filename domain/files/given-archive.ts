// The text and the files of a publish that names an uploaded zip: unpacked within bounds, a few entries in memory at a time,
// and kept as files that the caller has uploaded.
import { setImmediate } from "node:timers/promises";

import { filesLimits } from "@plinth/contract/limits";
import type { PlanId } from "@plinth/contract/plans";
import type { ArtifactType } from "@plinth/contract/schemas/artifact";
import type { GivenFile, NotTaken } from "@plinth/contract/schemas/file";
import { createKeyedSemaphore } from "@plinth/platform/keyed-semaphore";

import { accountOf } from "../access/principal.ts";
import type { Context } from "../context.ts";
import { invalid } from "../input.ts";
import type { ChosenFiles } from "../storage/prepared-files.ts";
import { contentTooLarge } from "../storage/size.ts";
import { sourceText, type SourceText } from "../storage/source-text.ts";
import { archivePlan, type ArchivePlan } from "./archive-plan.ts";
import { chooseFiles, type FilesScope, knownFiles, requirePath } from "./given-files.ts";
import { storableText, uploadedBytes } from "./given-text.ts";
import { keep } from "./upload.ts";
import { zipEntries, zipEntryBytes, ZipFault } from "./zip.ts";

/** What an archive holds, kept; `notTaken` where files stayed behind. */
export interface Unpacked {
  readonly text: SourceText;
  readonly files: ChosenFiles;
  readonly notTaken?: NotTaken;
}

/** Where the files go, and the type of the document. */
export interface ArchivePlace {
  readonly scope: FilesScope;
  readonly plan: PlanId;
  readonly type: ArtifactType;
}

interface GivenArchive {
  readonly archiveSha256: string;
  readonly documentPath?: string | undefined;
  readonly sourcePath?: string | null | undefined;
}

/** Unpacked bytes in memory, beside the archive and one entry. */
const groupBytes = 8 * 1024 * 1024;
/** Files that are not taken are named up to this number; all are counted. */
const namedMax = 100;
/** Each holds an archive of up to 20 MB. Others wait. */
const inTurn = createKeyedSemaphore({ atOnce: 2, ofOneCaller: 1 });

/** @throws invalid_request, content_too_large, storage_limit_reached, and what reauthorize does */
export const unpackedArchive = (context: Context, place: ArchivePlace, given: GivenArchive): Promise<Unpacked> =>
  inTurn(accountOf(context.principal), () => unpack(context, place, given));

async function unpack(
  context: Context,
  { scope, plan: account, type }: ArchivePlace,
  { archiveSha256: sha256, documentPath, sourcePath }: GivenArchive,
): Promise<Unpacked> {
  const { db, config } = context;
  requirePath("documentPath", documentPath);
  requirePath("sourcePath", sourcePath);
  const { fileBytes: limitBytes } = filesLimits;
  const bytes = await uploadedBytes(db, scope, { sha256, limitBytes, field });
  if (bytes === "too-large") throw new Error("an uploaded file is never larger than a file may be");
  try {
    const plan = archivePlan(zipEntries(bytes), { type, documentPath });
    if ("message" in plan) throw invalid([{ path: plan.field, message: plan.message }]);
    const { entry, path } = plan.document;
    if (entry.sizeBytes > config.maxContentBytes) throw contentTooLarge(config.maxContentBytes);
    const text = storableText(await zipEntryBytes(bytes, entry));
    if ("problem" in text)
      throw invalid([{ path: field, message: `is the hash of a zip whose ${path} ${text.problem}` }]);
    const { files, isWhole } = await keepAll(context, { scope, plan: account }, bytes, plan.files);
    return {
      text: sourceText(text.text),
      // In a dry run nothing is kept, and a version can have only files that are.
      files: isWhole ? await chooseFiles(db, scope, { files, documentPath: path }) : "none",
      ...(plan.notTaken.length > 0 && {
        notTaken: { count: plan.notTaken.length, files: plan.notTaken.slice(0, namedMax).map(shortened) },
      }),
    };
  } catch (error) {
    if (error instanceof ZipFault)
      throw invalid([{ path: field, message: `is the hash of a file that ${error.message}` }]);
    throw error;
  }
}

const field = "archiveSha256";
/** A name in a zip can have 64 KB. */
const shortened = ({ path, reason }: NotTaken["files"][number]) => ({
  path: path.slice(0, 255).toWellFormed(),
  reason,
});

/** Those that the scope does not have yet are kept, but for a dry run, which writes nothing. */
async function keepAll(
  context: Context,
  { scope, plan }: Pick<ArchivePlace, "scope" | "plan">,
  archive: Uint8Array,
  taken: ArchivePlan["files"],
): Promise<{ readonly files: readonly GivenFile[]; readonly isWhole: boolean }> {
  const files: GivenFile[] = [];
  let isWhole = true;
  for (const group of groupsOf(taken)) {
    const unpacked = new Map<string, Uint8Array<ArrayBuffer>>();
    for (const { path, entry } of group) {
      const bytes = await zipEntryBytes(archive, entry);
      const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
      unpacked.set(sha256, bytes);
      files.push({ path, sha256 });
      // Other requests are served between the entries.
      await setImmediate();
    }
    const known = await knownFiles(context.db, scope, [...unpacked.keys()]);
    for (const [sha256, bytes] of unpacked) {
      if (known.has(sha256)) continue;
      if (context.call.dryRun === true) isWhole = false;
      else await keep(context, { scope, plan, bytes });
    }
  }
  return { files, isWhole };
}

/** Consecutive entries that are in memory together. */
function groupsOf(taken: ArchivePlan["files"]): ArchivePlan["files"][] {
  const groups: { bytes: number; files: ArchivePlan["files"][number][] }[] = [];
  for (const file of taken) {
    const { sizeBytes } = file.entry;
    const last = groups.at(-1);
    if (last === undefined || last.bytes + sizeBytes > groupBytes) groups.push({ bytes: sizeBytes, files: [file] });
    else {
      last.bytes += sizeBytes;
      last.files.push(file);
    }
  }
  return groups.map(({ files }) => files);
}
