// Publishing as one statement: content, artifact, first version, audit event and job, all or nothing. Publishes that
// arrive together share it, and so its round trip and its commit. Of one whose slug is taken or whose project is gone
// it writes nothing.
import { sqlState, type Database } from "@plinth/db/connection";
import { givenOf } from "@plinth/db/rows";

import { actorOf } from "../access/principal.ts";
import { givenColumns } from "../access/row-columns.ts";
import { batched } from "../batched.ts";
import { EndToEnd } from "../content/end-to-end.ts";
import type { PreparedFiles } from "../storage/prepared-files.ts";
import type { InsertArtifact, NewArtifact } from "../services.ts";

/** The columns of the artifact. */
const given = givenOf(givenColumns);
const namesOfGiven = given.map(({ name }) => name);

/** The values of a publish beside the columns of the artifact, as PostgreSQL reads them. */
const furtherValues = {
  created_by: "jsonb",
  sha256: "bytea",
  data_at: "int",
  data_length: "int",
  size_bytes: "int",
  changelog: "text",
  event_id: "uuid",
  surface: "text",
  target_id: "text",
  request_id: "text",
  client: "text",
  job_id: "uuid",
} as const;

/** All of them, and the number of the publish in its statement. */
const columns: Readonly<Record<string, string>> = {
  n: "int",
  ...Object.fromEntries(given.map(({ name, type }) => [name, type])),
  ...furtherValues,
};

/** Those of a publish with files beside it, or with a rendering. */
const furtherColumns = {
  renderer: "text",
  rendering_at: "int",
  rendering_length: "int",
  file_set: "uuid",
  manifest: "bytea",
  base: "text",
  file_count: "int",
  files_bytes: "bigint",
  files: "json",
} as const;

type FurtherValue = keyof typeof furtherValues;
type FurtherColumn = keyof typeof furtherColumns;
const names = Object.keys(columns);

/** The publishes as the rows of $2, which is JSON. */
const asRows = (types: Readonly<Record<string, string>>): string =>
  `SELECT * FROM json_to_recordset($2::text::json) AS r(${Object.entries(types)
    .map((column) => column.join(" "))
    .join(", ")})`;

const nullable: ReadonlySet<string> = new Set([
  ...given.filter(({ isNullable }) => isNullable).map(({ name }) => name),
  "changelog",
  "client",
]);
/** Bun's driver writes arrays and objects differently, and would prepare the statement again for each choice of nulls. */
const isJson = (name: string): boolean => nullable.has(name) || columns[name] === "text[]" || columns[name] === "jsonb";

function parameter(name: string, number: number): string {
  if (!isJson(name)) return `$${number}::${columns[name]}`;
  const json = `$${number}::text::json`;
  if (nullable.has(name)) return `(${json} #>> '{}')::${columns[name]}`;
  return columns[name] === "text[]" ? `ARRAY(SELECT json_array_elements_text(${json}))` : `$${number}::text::jsonb`;
}

function parameterOf(name: string, value: unknown): unknown {
  if (isJson(name)) return JSON.stringify(value ?? null);
  return columns[name] === "bytea" ? Buffer.from(String(value).slice(2), "hex") : value;
}

/** One publish, each value a parameter from $2 on. */
const asParameters = `SELECT ${names.map((name, at) => `${parameter(name, at + 2)} AS ${name}`).join(", ")}`;

const furtherParts = `rendered AS (
  INSERT INTO rendering (sha256, type, renderer, data)
  SELECT sha256, type, renderer, substring($1::bytea FROM rendering_at FOR rendering_length)
  FROM created WHERE renderer IS NOT NULL
  ON CONFLICT DO NOTHING
), sets AS (
  INSERT INTO file_set (file_set_id, artifact_id, base, sha256, file_count, size_bytes)
  SELECT file_set, artifact_id, base, manifest, file_count, files_bytes FROM created WHERE file_set IS NOT NULL
), files AS (
  INSERT INTO file_set_file (file_set_id, path, workspace_id, sha256)
  SELECT c.file_set, f.path, c.workspace_id, f.sha256
  FROM created c CROSS JOIN LATERAL json_to_recordset(c.files) AS f(path text, sha256 bytea)
  WHERE c.file_set IS NOT NULL
), held AS (
  SELECT w.workspace_id, w.sha256 FROM workspace_file w
  WHERE w.unused_since IS NOT NULL AND (w.workspace_id, w.sha256) IN (
    SELECT c.workspace_id, f.sha256
    FROM created c CROSS JOIN LATERAL json_to_recordset(c.files) AS f(sha256 bytea)
    WHERE c.file_set IS NOT NULL)
  ORDER BY w.workspace_id, w.sha256
  FOR NO KEY UPDATE
), used AS (
  UPDATE workspace_file w SET unused_since = NULL
  FROM held WHERE w.workspace_id = held.workspace_id AND w.sha256 = held.sha256
), `;

/**
 * The contents lie end to end in $1. Rows that another publish may want
 * as well are written in one order, so that two statements never wait for each other. Content that is there already,
 * or that another publish is storing, is locked and not written: so it is not collected before there is this version of
 * it (retention/collect.ts).
 *
 * PostgreSQL prepares every part of a statement to be run, also where it writes nothing: a publish without files and without
 * a rendering by the text that has both costs it a third more.
 */
function textOf(asked: string, { isPlain, isOne }: { readonly isPlain: boolean; readonly isOne: boolean }): string {
  const kept = isOne ? "NOT MATERIALIZED" : "MATERIALIZED";
  const unlessOne = (part: string) => (isOne ? "" : part);
  return `
WITH asked AS ${kept} (
  ${asked}
), inserted AS (
  INSERT INTO artifact (${namesOfGiven.join(", ")}, latest_version, created_by)
  SELECT ${namesOfGiven.map((name) => `r.${name}`).join(", ")}, 1, r.created_by
  FROM asked r
  JOIN LATERAL (
    SELECT FROM project p
    WHERE p.project_id = r.project_id AND p.workspace_id = r.workspace_id AND p.deleted_at IS NULL
    FOR KEY SHARE
  ) place ON true
  ${unlessOne("ORDER BY r.project_id, r.slug")}
  ON CONFLICT (project_id, slug) WHERE deleted_at IS NULL DO NOTHING
  RETURNING artifact_id, created_at
), created AS ${kept} (
  SELECT r.*, i.created_at FROM asked r JOIN inserted i ON i.artifact_id = r.artifact_id ${unlessOne("ORDER BY r.sha256")}
), stored AS (
  INSERT INTO content (sha256, data, size_bytes)
  SELECT sha256, substring($1::bytea FROM data_at FOR data_length), size_bytes
  FROM ${isOne ? "created" : "(SELECT DISTINCT ON (sha256) sha256, data_at, data_length, size_bytes FROM created ORDER BY sha256) texts"}
  ON CONFLICT (sha256) DO UPDATE SET size_bytes = content.size_bytes WHERE false
), ${isPlain ? "" : furtherParts}first AS (
  INSERT INTO version (artifact_id, version_number, sha256, size_bytes, changelog, created_by, file_set)
  SELECT artifact_id, 1, sha256, size_bytes, changelog, created_by, ${isPlain ? "NULL::uuid" : "file_set"} FROM created
), audited AS (
  INSERT INTO audit_event (event_id, kind, actor, surface, workspace_id, artifact_id, target_type, target_id, after,
    request_id, client)
  SELECT event_id, 'artifact.created', created_by, surface, workspace_id, artifact_id, 'artifact', target_id,
    jsonb_build_object('latestVersion', 1, 'sha256', encode(sha256, 'hex'), 'slug', slug, 'title', title, 'type', type,
      'access', jsonb_build_object('publicView', public_view, 'publicEdit', public_edit, 'viewerEmails', to_jsonb(viewer_emails))),
    request_id, client
  FROM created
), queued AS (
  INSERT INTO outbox (job_id, kind, payload)
  SELECT job_id, 'head', jsonb_build_object('artifactIds', jsonb_build_array(target_id)) FROM created
)
SELECT n, created_at FROM created`;
}

/**
 * The statement of publishes that have neither files beside them nor a rendering, that of all, and that of one of the former
 * alone: without the rows of JSON and what is kept between its parts, it costs PostgreSQL a seventh less.
 */
const statements = {
  plain: textOf(asRows(columns), { isPlain: true, isOne: false }),
  full: textOf(asRows({ ...columns, ...furtherColumns }), { isPlain: false, isOne: false }),
  one: textOf(asParameters, { isPlain: true, isOne: true }),
};

const isPlain = ({ source, files }: NewArtifact): boolean => source.rendering === null && files === null;

/**
 * One at a time, unless it is late: while the database writes eight, this process reads and answers the next. All that
 * wait in one statement would have the two take turns, and an eighth of them costs the database no more each.
 */
const underWayAtOnce = 4;
const worthwhile = 16;
const most = 8;
/** From this many bytes on a publish goes by itself: it would hold up the others. */
const aloneFrom = 256 * 1024;

/** Makes the publisher of a process, or of a transaction; it keeps nothing but what is under way. */
export function createInsertArtifact(db: Database): InsertArtifact {
  const together = batched<NewArtifact, Date | null>({
    underWayAtOnce,
    worthwhile,
    most,
    async work(publishes) {
      try {
        return await insert(db, publishes);
      } catch (error) {
        if (publishes.length === 1 || !isRefusal(error)) throw error;
        return publishes.map(alone);
      }
    },
  });
  const alone = async (publish: NewArtifact): Promise<Date | null> => (await insert(db, [publish]))[0] ?? null;
  return (publish) => (bytesOf(publish) < aloneFrom ? together(publish) : alone(publish));
}

const bytesOf = ({ source }: NewArtifact): number => source.data.length + (source.rendering?.data.length ?? 0);

/**
 * The database has said of the statement that it was not done, for what is in it: data, constraints, a deadlock, a
 * limit. After any other error it may have been done all the same, and must not be tried again.
 */
const isRefusal = (error: unknown): boolean => /^(?:22|23|40|54)/.test(sqlState(error) ?? "");

async function insert(db: Database, publishes: readonly NewArtifact[]): Promise<(Date | null)[]> {
  const bytes = new EndToEnd();
  const rows: Values[] = publishes.map((publish, n) => ({ n, ...columnsOf(publish, bytes) }));
  const [first] = rows;
  const arePlain = publishes.every(isPlain);
  const [text, parameters] =
    arePlain && first !== undefined && rows.length === 1
      ? [statements.one, names.map((name) => parameterOf(name, first[name]))]
      : [arePlain ? statements.plain : statements.full, [JSON.stringify(rows)]];
  const created = await db.run<{ n: number; created_at: Date }>(text, [bytes.bytes(), ...parameters]);
  const times: (Date | null)[] = publishes.map(() => null);
  for (const { n, created_at } of created) times[n] = created_at;
  return times;
}

type Values = Readonly<Record<string, unknown>>;

function columnsOf({ row, source, files, by }: NewArtifact, bytes: EndToEnd): Values {
  const data = bytes.add(source.data);
  const rendering = source.rendering === null ? null : bytes.add(source.rendering.data);
  const further: Record<FurtherValue, unknown> & Partial<Record<FurtherColumn, unknown>> = {
    created_by: actorOf(by.principal),
    sha256: `\\x${source.sha256}`,
    data_at: data.at,
    data_length: data.length,
    size_bytes: source.sizeBytes,
    renderer: source.rendering?.renderer,
    rendering_at: rendering?.at,
    rendering_length: rendering?.length,
    changelog: row.changelog,
    event_id: Bun.randomUUIDv7(),
    surface: by.call.surface,
    target_id: row.artifactId,
    request_id: by.call.requestId,
    client: by.call.client,
    job_id: Bun.randomUUIDv7(),
    ...(files === null ? {} : fileColumns(files)),
  };
  return { ...Object.fromEntries(given.map((column) => [column.name, column.valueOf(row)])), ...further };
}

const fileColumns = ({ fileSetId, base, files, summary }: PreparedFiles): Partial<Record<FurtherColumn, unknown>> => ({
  file_set: fileSetId,
  manifest: `\\x${summary.sha256}`,
  base,
  file_count: summary.count,
  files_bytes: summary.sizeBytes,
  files: files.map(({ path, sha256 }) => ({ path, sha256: `\\x${sha256}` })),
});
