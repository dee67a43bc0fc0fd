// The job behind search and ordered lists: the words of title, slug, description and the first 256 KB of each head's
// text, what results quote of it, and where it stands by last change and by title, outside the request.
import { uuidOf } from "@plinth/db/columns";
import type { ArtifactType } from "@plinth/contract/schemas/artifact";
import type { Database } from "@plinth/db/connection";

import { titleKeyOf } from "../artifacts/title-key.ts";
import { DocumentWords } from "../search/document-words.ts";
import {
  changedMarks,
  creatorMark,
  projectMark,
  titleMarks,
  turnsOfMark,
  typeMark,
  workspaceMark,
} from "../search/marks.ts";
import { packedQuote } from "../storage/quoted-text.ts";
import { searchedText } from "../search/source-text.ts";
import { withoutSigns, wordsIn } from "../search/words.ts";
import { storedContent } from "../storage/object-name.ts";
import { contentBytes } from "../storage/stored-content.ts";

const textBytes = 256 * 1024;
const decoder = new TextDecoder();
/** Artifacts in one transaction, so that neither what is held nor what is locked grows large. */
const atOnce = 16;

interface Head {
  artifact_id: string;
  slug: string;
  type: ArtifactType;
  title: string;
  description: string | null;
  public_view: boolean;
  workspace_id: string;
  project_id: string;
  creator_id: string;
  updated_at: Date;
  latest_version: number;
  data: Uint8Array | null;
}

/** Of two jobs for one artifact one waits for the other; in one order, or they would wait for each other. */
const lockStatement = `
SELECT pg_advisory_xact_lock(hashtextextended('search:' || id, 0))
FROM (SELECT json_array_elements_text($1::text::json) AS id ORDER BY 1) AS ids`;

/** The lateral ends in LIMIT 1, so that each is looked up by index under any estimate of the tables' sizes. */
const headsStatement = `
SELECT h.*
FROM json_array_elements_text($1::text::json) AS ids(id)
JOIN LATERAL (
  SELECT a.artifact_id, a.slug, a.type, a.title, a.description, a.public_view, a.workspace_id, a.project_id,
    a.creator_id, a.updated_at, a.latest_version, ${storedContent} AS data
  FROM artifact a
  JOIN version v ON v.artifact_id = a.artifact_id AND v.version_number = a.latest_version
  LEFT JOIN content c ON c.sha256 = v.sha256
  WHERE a.artifact_id = ids.id::uuid AND a.deleted_at IS NULL
  LIMIT 1
) h ON true`;

/** The form of what is written here: rows of an earlier one are written again. */
const form = 2;

const markOf = (sign: string, turn: string, turns: number): string => `' ''${sign}' || ${turn} / ${turns} || ''''`;

/** The words with the marks of the turn in which they were written. */
const wordsOf = (turn: string): string =>
  `(d.words || ${markOf("#", turn, turnsOfMark.few)} || ${markOf("##", turn, turnsOfMark.many)})::tsvector`;

/**
 * A job that runs again does not write a document that is already so, because its turn says when it changed. The lateral
 * ends in LIMIT 1 like that of the heads. The turn is drawn in a subquery, which PostgreSQL evaluates once for each row.
 */
const writeStatement = `
INSERT INTO search_document (artifact_id, version_number, name, words, public_view, quoted, turn, form)
SELECT d.artifact, d.version, d.name, ${wordsOf("d.turn")}, d.public, decode(d.quoted, 'base64'), d.turn, ${form}
FROM (
  SELECT d.*, nextval('search_document_turn_seq') AS turn
  FROM json_to_recordset($1::text::json) AS d(artifact uuid, version int, name text, words text, public boolean, quoted text)
  LEFT JOIN LATERAL (SELECT * FROM search_document WHERE artifact_id = d.artifact LIMIT 1) s ON true
  WHERE (s.version_number, s.name, s.public_view, s.quoted, s.form)
      IS DISTINCT FROM (d.version, d.name, d.public, decode(d.quoted, 'base64'), ${form})
    OR s.words <> ${wordsOf("s.turn")}
) AS d
ON CONFLICT (artifact_id) DO UPDATE
SET version_number = excluded.version_number, name = excluded.name, words = excluded.words,
  public_view = excluded.public_view, text = excluded.text, quoted = excluded.quoted, turn = excluded.turn,
  form = excluded.form`;

/** A project that is being moved is waited for, and then none is until this is done: each artifact is where it says. */
const holdProjectsStatement = `
SELECT FROM project
WHERE project_id = ANY (ARRAY(
  SELECT a.project_id FROM json_array_elements_text($1::text::json) AS ids(id)
  JOIN LATERAL (SELECT project_id FROM artifact WHERE artifact_id = ids.id::uuid LIMIT 1) a ON true))
ORDER BY project_id
FOR KEY SHARE`;

const orderStatement = `
WITH gone AS (
  DELETE FROM artifact_order o USING json_array_elements_text($2::text::json) AS ids(id), LATERAL (
    SELECT FROM artifact a WHERE a.artifact_id = ids.id::uuid AND a.deleted_at IS NOT NULL LIMIT 1
  ) a
  WHERE o.artifact_id = ids.id::uuid
)
INSERT INTO artifact_order (artifact_id, project_id, workspace_id, public_view, updated_at, title_key)
SELECT a.artifact_id, a.project_id, a.workspace_id, a.public_view, a.updated_at, d.title
FROM json_to_recordset($1::text::json) AS d(artifact uuid, title text)
JOIN LATERAL (SELECT * FROM artifact a WHERE a.artifact_id = d.artifact AND a.deleted_at IS NULL LIMIT 1) a ON true
ON CONFLICT (artifact_id) DO UPDATE
SET project_id = excluded.project_id, workspace_id = excluded.workspace_id, public_view = excluded.public_view,
  updated_at = excluded.updated_at, title_key = excluded.title_key`;

/** Run twice or late it still ends with the newest heads and titles. */
export async function writeSearchDocuments(db: Database, artifactIds: readonly string[]): Promise<void> {
  const ids = [...new Set(artifactIds)].map((artifactId) => uuidOf("art", artifactId)).toSorted();
  for (let at = 0; at < ids.length; at += atOnce) await writeSome(db, ids.slice(at, at + atOnce));
}

async function writeSome(db: Database, ids: readonly string[]): Promise<void> {
  try {
    await writeTogether(db, ids);
  } catch (error) {
    if (ids.length < 2) throw error;
    await writeApart(db, ids);
  }
}

/** By the index on the rows of an earlier form, which a migration changes with the form; the newest artifacts first. */
const outdatedStatement = `
SELECT artifact_id FROM search_document WHERE form < ${form} AND artifact_id < $1
ORDER BY artifact_id DESC LIMIT ${atOnce}`;

/** Goes through all of them once; interrupted, the next run finds what is left. @throws AggregateError as the others */
export async function renewSearchDocuments(db: Database): Promise<void> {
  const failures: unknown[] = [];
  for (let last: string | undefined = "ffffffff-ffff-ffff-ffff-ffffffffffff"; last !== undefined;) {
    const rows: { artifact_id: string }[] = await db.run(outdatedStatement, [last]);
    const ids = rows.map(({ artifact_id }) => artifact_id).toSorted();
    if (ids.length > 0) await writeSome(db, ids).catch((error: unknown) => failures.push(error));
    last = rows.at(-1)?.artifact_id;
  }
  if (failures.length > 0) throw new AggregateError(failures, "some search documents were not written");
}

/** One that can't be written keeps none of the others from search. @throws AggregateError where there is one */
async function writeApart(db: Database, ids: readonly string[]): Promise<void> {
  const failures: unknown[] = [];
  for (const id of ids) await writeTogether(db, [id]).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} search documents were not written`);
}

async function writeTogether(db: Database, ids: readonly string[]): Promise<void> {
  const some = JSON.stringify(ids);
  await db.transaction(async (tx) => {
    await tx.run(lockStatement, [some]);
    const heads = await tx.run<Head>(headsStatement, [some]);
    const documents: unknown[] = [];
    for (const head of heads) {
      documents.push(await documentOf(tx, head));
    }
    await tx.run(writeStatement, [JSON.stringify(documents)]);
    await tx.run(holdProjectsStatement, [some]);
    const titles = heads.map(({ artifact_id, title }) => ({ artifact: artifact_id, title: titleKeyOf(title) }));
    await tx.run(orderStatement, [JSON.stringify(titles), some]);
  });
}

async function documentOf(db: Database, head: Head) {
  const { artifact_id, latest_version, title, slug, description, type, data } = head;
  const text = data === null ? "" : searchedText(type, decoder.decode(beginningOf(await contentBytes(db, data))));
  const words = new DocumentWords();
  await words.add(title, "A");
  await words.add(slug, "A");
  await words.add(description ?? "", "B");
  await words.add(text, "D");
  words.mark(titleMarks(title, slug));
  words.mark([
    workspaceMark(head.workspace_id),
    projectMark(head.project_id),
    creatorMark(head.creator_id),
    typeMark(type),
    ...changedMarks(head.updated_at),
  ]);
  return {
    artifact: artifact_id,
    version: latest_version,
    name: nameOf(title, slug),
    words: words.toString(),
    public: head.public_view,
    quoted: Buffer.from(await packedQuote(text)).toString("base64"),
  };
}

/** The words of the title, and the slug in the next line. */
const nameOf = (title: string, slug: string): string => `${withoutSigns(wordsIn(title)).join(" ")}\n${slug}`;

/** As much of a text as is searched, up to a whole character. */
function beginningOf(text: Uint8Array): Uint8Array {
  if (text.length <= textBytes) return text;
  let end = textBytes;
  while (isContinuation(text[end])) end--;
  return text.subarray(0, end);
}

/** Whether a byte of UTF-8 goes on with the character of the byte before it. */
const isContinuation = (byte = 0): boolean => (byte & 0xc0) === 0x80;
