// The text that edits make of a version: on the main thread where that is quick, in a child process otherwise.
import type { AppError } from "@plinth/contract/errors";

import { reauthorize } from "../access/authorize.ts";
import type { LoadedVersion } from "../access/resource.ts";
import { workFor } from "../content/work.ts";
import type { Context } from "../context.ts";
import { applyEdits, type Edit, type Edited } from "../edits/apply-edits.ts";
import { invalid } from "../input.ts";
import { textOf } from "../storage/pack.ts";
import { contentTooLarge, requireSize } from "../storage/size.ts";
import { editInThread } from "../threads/bounded-tasks.ts";

/**
 * UTF-16 units of the text times the edits, and times the units of what they look for: below both, the edits take a few
 * milliseconds for any text.
 */
const quick = { searched: 64 * 1024, compared: 50_000_000 } as const;

/** Units of the text times the edits. Each edit searches and copies the whole text. */
const searchedAtMost = 256 * 1024 * 1024;

/**
 * The child process is waited for, so access is decided again afterwards.
 * @throws invalid_request, content_too_large, busy, and what reauthorize does
 */
export async function editedText(
  context: Context,
  { artifact: { workspaceId }, bytes }: LoadedVersion,
  edits: readonly Edit[],
): Promise<string> {
  const source = (bytes ?? new Uint8Array()) as Uint8Array<ArrayBuffer>;
  const limitBytes = context.config.maxContentBytes;
  const searched = source.length * edits.length;
  if (searched > searchedAtMost) throw wrongEdits(tooMany(source.length));
  const wanted = edits.reduce((sum, { oldText }) => sum + oldText.length, 0);
  if (searched <= quick.searched && source.length * wanted <= quick.compared)
    return textFrom(applyEdits(textOf(source), edits, limitBytes), limitBytes);
  const edited = await editInThread({ source, edits, limitBytes }, workFor(context.principal, workspaceId));
  await reauthorize(context);
  return textFrom(edited, limitBytes);
}

function textFrom(edited: Edited | "too slow", limitBytes: number): string {
  if (edited === "too slow") throw wrongEdits("take too long to apply to this text: send the whole text instead");
  if (edited === "too large") throw contentTooLarge(limitBytes);
  if ("refused" in edited) throw invalid([edited.refused]);
  requireSize(edited.text, limitBytes);
  return edited.text;
}

const wrongEdits = (message: string): AppError => invalid([{ path: "edits", message }]);

const tooMany = (bytes: number): string =>
  `are more than ${Math.floor(searchedAtMost / bytes)}, the most for a text of ${bytes} bytes: send the whole text instead`;
