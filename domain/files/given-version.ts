// The text and the files of a publish, whichever way they were given: by themselves, or together in an archive.
import type { Context } from "../context.ts";
import type { SourceText } from "../storage/source-text.ts";
import { type ArchivePlace, unpackedArchive, type Unpacked } from "./given-archive.ts";
import { chooseFiles, type GivenFields } from "./given-files.ts";
import { givenText, type GivenText } from "./given-text.ts";

export type { Unpacked } from "./given-archive.ts";

export type GivenVersion = GivenFields & GivenText;

/**
 * `unpacked` of the same request is not unpacked again.
 * @throws invalid_request, content_too_large, storage_limit_reached
 */
export async function givenVersion(
  context: Context,
  place: ArchivePlace,
  given: GivenVersion,
  sent: SourceText | null,
  unpacked: Unpacked | null,
): Promise<Unpacked> {
  const { archiveSha256 } = given;
  if (archiveSha256 !== undefined) return unpacked ?? unpackedArchive(context, place, { ...given, archiveSha256 });
  const files = await chooseFiles(context.db, place.scope, given);
  return { text: await givenText(context, place.scope, given, sent), files };
}
