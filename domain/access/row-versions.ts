// Compares rows in the memory of a process with the database without reading them again: PostgreSQL names the
// transaction that wrote a version of a row, its xmin, so two rows with the same xmin are the same version.
import type { Database } from "@plinth/db/connection";

/** An alias that was not joined has none. */
const versionsOf = (...aliases: readonly string[]): string =>
  `concat(${aliases.map((alias) => `${alias}.xmin`).join(`,'.',`)})`;

/** Of an artifact `a` in its project `p` and workspace `w`, with its latest version `h` and the version that is meant. */
export const versionsOfArtifact = (version: "h" | "v"): string => versionsOf("a", "p", "w", "h", version);

/** Of the text of a version or one of its files. The address, if the request names it, is that of `p` and `w`. */
export const versionsOfText = versionsOf("a", "v", "p", "w");

const meantVersion = `version v
      ON v.artifact_id = a.artifact_id AND v.version_number = coalesce(d.version, a.latest_version)`;

const ofArtifact = `
    FROM artifact a
    JOIN project p ON p.project_id = a.project_id
    JOIN workspace w ON w.workspace_id = a.workspace_id
    JOIN version h ON h.artifact_id = a.artifact_id AND h.version_number = a.latest_version
    JOIN ${meantVersion}
    WHERE a.artifact_id = d.artifact AND ${versionsOfArtifact("v")} = d.versions`;

const ofText = `
    FROM artifact a
    JOIN ${meantVersion}
    LEFT JOIN project p ON p.project_id = a.project_id AND d.is_addressed
    LEFT JOIN workspace w ON w.workspace_id = p.workspace_id AND d.is_addressed
    WHERE a.artifact_id = d.artifact AND ${versionsOfText} = d.versions`;

/** Each row is looked up by index at any size of the tables, because the lateral ends in LIMIT 1. */
const statement = (same: string): string => `
SELECT d.n
FROM json_to_recordset($1::text::json) AS d(n int, artifact uuid, version int, is_addressed boolean, versions text)
JOIN LATERAL (SELECT ${same} LIMIT 1) same ON true`;

const statements = { artifact: statement(ofArtifact), text: statement(ofText) };

/** Rows that were loaded, with the versions that they had then. */
export interface Versioned {
  /** The statement by which they are compared. */
  readonly readAs: keyof typeof statements;
  /** A bare UUID. */
  readonly artifact: string;
  /** The latest where it is left out. */
  readonly version: number | undefined;
  /** Whether the request named the address. */
  readonly isAddressed: boolean;
  readonly versions: string;
}

/** Those that are in the database as they were loaded. */
export async function unchangedOf<Row extends Versioned>(db: Database, rows: readonly Row[]): Promise<Set<Row>> {
  const unchanged = new Set<Row>();
  for (const readAs of ["artifact", "text"] as const) {
    const some = rows.filter((row) => row.readAs === readAs);
    if (some.length === 0) continue;
    const asked = some.map(({ artifact, version, isAddressed, versions }, n) => {
      return { n, artifact, version, is_addressed: isAddressed, versions };
    });
    for (const { n } of await db.run<{ n: number }>(statements[readAs], [JSON.stringify(asked)])) {
      const row = some[n];
      if (row !== undefined) unchanged.add(row);
    }
  }
  return unchanged;
}
