// The beginning of a text, from which results quote, as a search document has it: under zstd, which takes two thirds of the
// bytes that PostgreSQL's own compression takes, and less of the processor.
import { searchDocument } from "@plinth/db/schema/artifacts";
import { sql, type SQL } from "drizzle-orm";

import { packText, textOf, unpack } from "./pack.ts";

/** Characters. What stands behind them is found and not quoted. */
const longest = 64 * 1024;
const spaces = /[\p{Cc}\s]+/gu;

/** In Unicode's form NFKC and in one line. */
export const packedQuote = (text: string): Promise<Uint8Array> =>
  packText(text.slice(0, longest).normalize("NFKC").replace(spaces, " ").trim().toWellFormed());

/** What `unpackedQuote` reads: of a document of form 1 the text itself, which a process of the last release may write yet. */
export const storedQuote: SQL = sql`
  CASE WHEN ${searchDocument.form} < 2 THEN convert_to(${searchDocument.text}, 'UTF8') ELSE ${searchDocument.quoted} END`;

/** No text begins like this in UTF-8. */
const isPacked = ([first, second]: Uint8Array): boolean => first === 0x28 && second === 0xb5;

export async function unpackedQuote(stored: Uint8Array): Promise<string> {
  return textOf(isPacked(stored) ? await unpack(stored) : stored);
}
