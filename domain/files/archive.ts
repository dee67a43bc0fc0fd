// A version with the files beside it, as one download: what it contains, and the bytes, read a few files at a time.
import type { Input } from "@plinth/contract/registry";
import type { VersionFile } from "@plinth/contract/schemas/file";
import type { Database } from "@plinth/db/connection";

import type { FileSetRow, LoadedVersion } from "../access/resource.ts";
import type { Context } from "../context.ts";
import { storedContent } from "../storage/object-name.ts";
import { contentBytes } from "../storage/stored-content.ts";
import { filesOfSet } from "./read.ts";

export interface ArchiveEntry {
  readonly path: string;
  readonly sizeBytes: number;
}

export interface ArchiveDocument {
  readonly name: string;
  readonly tag: string;
  readonly isPublic: boolean;
  readonly createdAt: Date;
  /** Null where the caller has it. */
  readonly content: ArchiveContent | null;
}

export interface ArchiveContent {
  readonly entries: readonly ArchiveEntry[];
  /** The bytes of the entries, in their order. @throws where retention removes the files at the same time */
  readonly read: () => AsyncGenerator<Uint8Array>;
}

/** Bytes of files that one statement reads; a larger file is read alone. */
const readAtOnce = 4 * 1024 * 1024;
/** Part of the tag: another number for another form of the archive. */
const form = 1;

export async function archiveDocument(
  { db, call }: Context,
  _input: Input<"version.archive">,
  { artifact, version, bytes }: LoadedVersion,
): Promise<ArchiveDocument> {
  const { slug, type, sourcePath, publicView } = artifact;
  const { versionNumber, sha256, files: set, createdAt } = version;
  const facts = [form, sha256, set?.sha256 ?? null, createdAt.toISOString(), slug, type, sourcePath, versionNumber];
  const tag = new Bun.CryptoHasher("sha256").update(JSON.stringify(facts)).digest("hex");
  const isHeld = call.held?.includes(tag) === true;
  return {
    name: `${slug}-v${versionNumber}.zip`,
    tag,
    isPublic: publicView,
    createdAt,
    content: isHeld ? null : await contentOf(db, artifact, set, bytes ?? new Uint8Array()),
  };
}

async function contentOf(
  db: Database,
  artifact: LoadedVersion["artifact"],
  set: FileSetRow | null,
  text: Uint8Array,
): Promise<ArchiveContent> {
  const files = await filesOfSet(db, set);
  const path = (set?.base ?? "") + freeName(artifact, set?.base ?? "", files);
  return {
    entries: [{ path, sizeBytes: text.length }, ...files],
    async *read() {
      yield text;
      if (set !== null) for (const group of groupsOf(files)) yield* readGroup(db, set.fileSetId, group);
    },
  };
}

/**
 * The name of the document beside its files: that of its source path, else its slug. A file can have the same path, in
 * some systems also in other letters, and a directory can.
 */
function freeName(
  { sourcePath, slug, type }: LoadedVersion["artifact"],
  base: string,
  files: readonly VersionFile[],
): string {
  const paths = files.map(({ path }) => path.toLowerCase());
  const isTaken = (name: string) => {
    const path = (base + name).toLowerCase();
    return paths.some((other) => other === path || other.startsWith(`${path}/`));
  };
  const ofSource = sourcePath === null ? [] : [sourcePath.slice(sourcePath.lastIndexOf("/") + 1)];
  const named = [...ofSource, `${slug}.${type}`].find((name) => !isTaken(name));
  if (named !== undefined) return named;
  let number = 2;
  while (isTaken(`${slug}-${number}.${type}`)) number++;
  return `${slug}-${number}.${type}`;
}

/** Consecutive files that are read together. */
function groupsOf(files: readonly VersionFile[]): VersionFile[][] {
  const groups: { bytes: number; files: VersionFile[] }[] = [];
  for (const file of files) {
    const last = groups.at(-1);
    if (last === undefined || last.bytes + file.sizeBytes > readAtOnce)
      groups.push({ bytes: file.sizeBytes, files: [file] });
    else {
      last.bytes += file.sizeBytes;
      last.files.push(file);
    }
  }
  return groups.map((group) => group.files);
}

const groupStatement = `
SELECT ${storedContent} AS data
FROM json_array_elements_text($2::text::json) WITH ORDINALITY AS asked(path, place)
JOIN file_set_file f ON f.file_set_id = $1 AND f.path = asked.path
JOIN content c ON c.sha256 = f.sha256
ORDER BY asked.place`;

async function* readGroup(db: Database, fileSetId: string, group: readonly VersionFile[]): AsyncGenerator<Uint8Array> {
  const paths = JSON.stringify(group.map(({ path }) => path));
  const rows = await db.run<{ data: Uint8Array }>(groupStatement, [fileSetId, paths]);
  if (rows.length < group.length) throw new Error("the files of an archive were removed while it was read");
  for (const { data } of rows) yield await contentBytes(db, data);
}
