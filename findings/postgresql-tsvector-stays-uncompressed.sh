#!/usr/bin/env bash
# Good guess: PostgreSQL compresses a value that is larger than 2 KB before it moves it out of its row, so the column of a
# full-text search is compressed on disk, as the text that it was made of is.
#
# What happens: in PostgreSQL 18.7 the text is compressed, and the `tsvector` of it is stored as it is. The default
# compression, pglz, gives up where it finds nothing to save in the first KB of a value. A `tsvector` begins with its
# table of words: four bytes for each, a length and a place that grows with every word, so that hardly any four bytes come
# twice. The words and their positions come after that table; deflate would save a third of all.
#
# Why it matters: from some 250 different words on, the search column of a document is larger than its compressed text
# (twice as large below), and `pg_column_compression` is null for it.
#
# Needs Node and npm; downloads about 27 MB. PostgreSQL runs as WebAssembly in Node, without a server.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --prefix "$folder" --loglevel=error --no-audit --no-fund --ignore-scripts @electric-sql/pglite@0.5.17

cat >"$folder/probe.mjs" <<'PROBE'
import { deflateSync } from "node:zlib";
import { PGlite } from "@electric-sql/pglite";

const db = new PGlite();
const body = Array.from({ length: 1500 }, (_, n) => `plum${(n * 7919) % 600} grows in row ${n % 90} of the orchard`).join(". ");
await db.exec("CREATE TABLE note (body text, words tsvector)");
await db.query("INSERT INTO note VALUES ($1, to_tsvector('simple', $1))", [body]);
const { rows } = await db.query(`SELECT split_part(version(), ' ', 2) AS version, length(words) AS words_in_it,
  octet_length(body) AS body_bytes, pg_column_size(body) AS body_stored, pg_column_compression(body) AS body_by,
  pg_column_size(words) AS words_stored, pg_column_compression(words) AS words_by, tsvectorsend(words) AS sent FROM note`);
const { sent, ...row } = rows[0];
const deflated = deflateSync(sent).length;
console.log({ ...row, words_sent: sent.length, words_deflated: deflated });
const isAsDescribed =
  row.body_by === "pglz" &&
  row.body_stored < row.body_bytes / 3 &&
  row.words_by === null &&
  row.words_stored >= sent.length &&
  deflated < 0.7 * sent.length;
if (!isAsDescribed) process.exitCode = 1;
PROBE

if ! node "$folder/probe.mjs"; then
  echo "The behaviour differs: PostgreSQL compresses a tsvector, or does not compress the text of it." >&2
  exit 1
fi
echo "As described: the text is compressed, and its tsvector is stored as it is."
