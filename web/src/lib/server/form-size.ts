// The sizes of forms: which are parsed for a signed-in visitor alone, and which are refused. A form is parsed, and its
// text shown again after a refusal, on the thread that answers all other requests.
import { bodyBytesBeforeLookUp } from "@plinth/contract/limits";
import { error } from "@sveltejs/kit";
import { editingTexts } from "#messages/editing.ts";

/** Bytes of a text that comes with its page: rendering 16 MiB of it took 1.8 s. */
export const longestInPage = 200_000;

const formBytesMax = {
  /** A byte of a text takes at most three characters, and the other fields are short. */
  "application/x-www-form-urlencoded": 3 * longestInPage + 16 * 1024,
  /** A file is not shown again. 4 MiB take some 20 ms, of a text in the form some 35. */
  "multipart/form-data": 4 * 1024 * 1024,
};

const lengthOf = ({ headers }: Request): number => Number(headers.get("content-length") ?? 0);

/** Whether a form is longer than the API parses for a stranger. Forms without a length never come here. */
export const isLargeForm = (request: Request): boolean => lengthOf(request) > bodyBytesBeforeLookUp;

/** A form that a stranger may send; null where it is large, or no form at all. */
export const smallFormOf = async (request: Request): Promise<FormData | null> =>
  isLargeForm(request) ? null : request.formData().catch(() => null);

/**
 * The form of a page that decides who may send it. One that only the API, the command line or a page's script may send
 * so long ends in an error page.
 */
export function formOf(request: Request): Promise<FormData> {
  const isMultipart = request.headers.get("content-type")?.startsWith("multipart/form-data") === true;
  const max = formBytesMax[isMultipart ? "multipart/form-data" : "application/x-www-form-urlencoded"];
  if (lengthOf(request) > max)
    error(413, "Too long without script", { code: "content_too_large", missing: editingTexts().formTooLong });
  return request.formData();
}
