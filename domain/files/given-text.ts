// The source text of a publish: as it was sent, or of a file that was uploaded before.
import type { FieldError } from "@plinth/contract/errors";
import { uuidOf } from "@plinth/db/columns";

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
}

/** The faults of fields that must have the text exactly once. */
export function textProblems({ content, contentSha256 }: GivenText): FieldError[] {
  if (content === undefined && contentSha256 === undefined)
    return [{ path: "content", message: "is required, or contentSha256" }];
  if (content === undefined || contentSha256 === undefined) return [];
  return [{ path: "contentSha256", message: "cannot be sent together with content" }];
}

const fileStatement = `
SELECT w.size_bytes, CASE WHEN w.size_bytes <= $4 THEN ${storedContent} END AS data
FROM workspace_file w JOIN content c ON c.sha256 = w.sha256
WHERE w.workspace_id = $1 AND w.sha256 = decode($2, 'hex') AND (${isOfScope})`;

interface FileRow {
  readonly size_bytes: number;
  /** Null where it is too large for a text. */
  readonly data: Uint8Array | null;
}

/** The text that was sent, for which nothing is read, or that of the file. @throws invalid_request, content_too_large */
export async function givenText(
  { db, config }: Pick<Context, "db" | "config">,
  { workspaceId, artifactId }: FilesScope,
  { contentSha256 }: GivenText,
  sent: SourceText | null,
): Promise<SourceText> {
  if (sent !== null) return sent;
  const { maxContentBytes } = config;
  const [file] = await db.run<FileRow>(fileStatement, [
    uuidOf("wsp", workspaceId),
    contentSha256,
    artifactId === null ? null : uuidOf("art", artifactId),
    maxContentBytes,
  ]);
  if (file === undefined) throw wrongText("is not the hash of an uploaded file");
  if (file.data === null) throw contentTooLarge(maxContentBytes);
  return sourceText(decoded(await contentBytes(db, file.data)));
}

function decoded(bytes: Uint8Array): string {
  const text = utf8(bytes);
  if (text === null) throw wrongText("is the hash of a file that is not UTF-8 text");
  if (!isStorable(text)) throw wrongText("is the hash of a file that contains NUL");
  return text;
}

/** With a byte order mark, which is part of a text; null where the bytes are no text. */
function utf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

const wrongText = (message: string) => invalid([{ path: "contentSha256", message }]);
