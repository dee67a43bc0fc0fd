// The source text of a publish: as it was sent, or of a file that was uploaded before.
import type { FieldError } from "@plinth/contract/errors";
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

import type { Context } from "../context.ts";
import { invalid, isStorable } from "../input.ts";
import { storedContent } from "../storage/object-name.ts";
import { contentTooLarge } from "../storage/size.ts";
import { sourceText, type SourceText } from "../storage/source-text.ts";
import { contentBytes } from "../storage/stored-content.ts";
import { isOfScope, type FilesScope } from "./given-files.ts";

export interface GivenText {
  readonly content?: string;
  /** Hex. */
  readonly contentSha256?: string;
  /** Hex, of a zip with the text and the files. */
  readonly archiveSha256?: string;
  readonly files?: readonly object[];
}

/** The faults of fields that must have the text exactly once, and the files at most once. */
export function textProblems({ content, contentSha256, archiveSha256, files }: GivenText): FieldError[] {
  const texts = Object.entries({ content, contentSha256, archiveSha256 }).flatMap(([name, text]) =>
    text === undefined ? [] : [name],
  );
  const [first, ...others] = texts;
  if (first === undefined) return [{ path: "content", message: "is required, or contentSha256 or archiveSha256" }];
  const together = (path: string, other: string) => ({ path, message: `cannot be sent together with ${other}` });
  return [
    ...others.map((name) => together(name, first)),
    ...(archiveSha256 !== undefined && files !== undefined ? [together("files", "archiveSha256")] : []),
  ];
}

const fileStatement = `
SELECT w.size_bytes, CASE WHEN w.size_bytes <= $4 THEN ${storedContent} END AS data
FROM workspace_file w JOIN content c ON c.sha256 = w.sha256
WHERE w.workspace_id = $1 AND w.sha256 = decode($2, 'hex') AND (${isOfScope})`;

interface FileRow {
  readonly size_bytes: number;
  /** Null where it is larger than asked for. */
  readonly data: Uint8Array | null;
}

/** The bytes of an uploaded file that the caller may name; `too-large` beyond the limit. @throws invalid_request */
export async function uploadedBytes(
  db: Database,
  { workspaceId, artifactId }: FilesScope,
  {
    sha256,
    limitBytes,
    field,
  }: { readonly sha256: string | undefined; readonly limitBytes: number; readonly field: string },
): Promise<Uint8Array | "too-large"> {
  const [file] = await db.run<FileRow>(fileStatement, [
    uuidOf("wsp", workspaceId),
    sha256,
    artifactId === null ? null : uuidOf("art", artifactId),
    limitBytes,
  ]);
  if (file === undefined) throw invalid([{ path: field, message: "is not the hash of an uploaded file" }]);
  return file.data === null ? "too-large" : contentBytes(db, file.data);
}

/** The text that was sent, for which nothing is read, or that of the file. @throws invalid_request, content_too_large */
export async function givenText(
  { db, config }: Pick<Context, "db" | "config">,
  scope: FilesScope,
  { contentSha256 }: GivenText,
  sent: SourceText | null,
): Promise<SourceText> {
  if (sent !== null) return sent;
  const { maxContentBytes: limitBytes } = config;
  const bytes = await uploadedBytes(db, scope, { sha256: contentSha256, limitBytes, field: "contentSha256" });
  if (bytes === "too-large") throw contentTooLarge(limitBytes);
  const text = storableText(bytes);
  if ("problem" in text)
    throw invalid([{ path: "contentSha256", message: `is the hash of a file that ${text.problem}` }]);
  return sourceText(text.text);
}

/** The text of these bytes, or why they are none, to follow the name of their file. */
export function storableText(bytes: Uint8Array): { readonly text: string } | { readonly problem: string } {
  const text = utf8(bytes);
  if (text === null) return { problem: "is not UTF-8 text" };
  return isStorable(text) ? { text } : { problem: "contains NUL" };
}

/** With a byte order mark, which is part of a text; null where the bytes are no text. */
function utf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
