// Whether every stored content is what its hash says: read in batches, so that memory does not grow with the store.
import type { Database } from "@plinth/db/connection";

import { unpackSync } from "../storage/pack.ts";

const batch = 50;

interface Row {
  sha256: Uint8Array;
  data: Uint8Array;
  size_bytes: number;
}

/** The hashes, hex, of contents that do not match theirs or are of another size, as they are found. */
export async function* brokenContents(db: Database): AsyncGenerator<string> {
  let after: Uint8Array = new Uint8Array();
  for (;;) {
    const rows = await db.run<Row>(
      `SELECT sha256, data, size_bytes FROM content WHERE sha256 > $1 ORDER BY sha256 LIMIT ${batch}`,
      [after],
    );
    for (const { sha256, data, size_bytes: sizeBytes } of rows) {
      if (!isWhole(sha256, data, sizeBytes)) yield Buffer.from(sha256).toString("hex");
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.sha256;
  }
}

function isWhole(sha256: Uint8Array, data: Uint8Array, sizeBytes: number): boolean {
  try {
    const bytes = unpackSync(data);
    return (
      bytes.length === sizeBytes && Buffer.from(sha256).equals(new Bun.CryptoHasher("sha256").update(bytes).digest())
    );
  } catch {
    return false; // Not even zstd: as broken as another hash.
  }
}
