// The kinds of resource on an artifact: the artifact alone, with a version, with the text of a version, or with a
// screenshot. For each, the SQL that finds it and the row that is read from its columns.
import { encodeId } from "@plinth/contract/ids";
import { listOf, readerOf, selectOf, type RawRow } from "@plinth/db/rows";

import { storedContent } from "../storage/object-name.ts";
import { fileSetList, fileSetOf, fileSetSelect, type FileSetColumns } from "./file-set.ts";
import type { CallerQuery } from "./load-caller.ts";
import { formerlyAt, namedOwner, type ResourceKind } from "./load-project.ts";
import { versionsOfArtifact, versionsOfText } from "./row-versions.ts";
import type {
  ArtifactRow,
  DecidedArtifact,
  LoadedFile,
  LoadedFiles,
  LoadedPicture,
  LoadedSource,
  LoadedVersion,
  PictureRow,
  VersionRow,
} from "./resource.ts";
import { artifactColumns, versionColumns } from "./row-columns.ts";

export type ArtifactKindColumns = ArtifactColumns &
  VersionColumns &
  MeantColumns &
  PictureColumns &
  FileColumns & {
    data: Uint8Array | null;
    /** Only for a caller of whom rows may be kept; null where nothing was found. */
    row_versions?: string | null;
  };

type ArtifactKind<Row> = ResourceKind<ArtifactKindColumns, Row>;

/** What comes with rows that may be kept in memory. */
const keptColumns = ({ isKept }: CallerQuery): string[] => (isKept === true ? ["a.row_versions"] : []);

export const artifactAlone: ArtifactKind<ArtifactRow> = {
  query: (caller) => ({
    columns: [artifactList, ...keptColumns(caller)],
    lateral: orAnother(artifact({ versions: caller.isKept && "h" }), namedArtifact, () => ""),
  }),
  read(row) {
    const found = artifactOf(row);
    return { artifact: found, row: found };
  },
};

/** The artifact that a relative link in a project leads to. */
export const artifactOfSource: ArtifactKind<ArtifactRow> = {
  ...artifactAlone,
  query: () => ({ columns: [artifactList], lateral: orAnother(artifact(), artifactBySource, () => "") }),
};

export const artifactVersion: ArtifactKind<LoadedVersion> = {
  hasContent: true,
  query: (caller) => ({
    columns: [artifactList, versionList, ...keptColumns(caller)],
    lateral: orAnother(version(caller), namedArtifact, bytes(caller.mayHave)),
  }),
  read(row, content) {
    const found = { artifact: artifactOf(row), version: versionOf(row) };
    if (found.artifact === null || found.version === null) return { artifact: found.artifact, row: null };
    return {
      artifact: found.artifact,
      row: { artifact: found.artifact, version: found.version, bytes: content(found.version) },
    };
  },
};

export const artifactSource: ArtifactKind<LoadedSource> = {
  hasContent: true,
  query: (caller) => ({
    columns: [sourceColumns, ...keptColumns(caller)],
    lateral: orAnother(source(caller), namedArtifact, bytes(caller.mayHave)),
  }),
  read(row, content) {
    const found = sourceOf(row);
    if (found === null) return { artifact: null, row: null };
    return { artifact: found.artifact, row: { ...found, bytes: content(found.version) } };
  },
};

export const artifactFiles: ArtifactKind<LoadedFiles> = {
  query: (caller) => ({
    columns: [artifactList, versionList, ...keptColumns(caller)],
    lateral: orAnother(version(caller), namedArtifact, () => "NULL::bytea"),
  }),
  read(row) {
    const found = { artifact: artifactOf(row), version: versionOf(row) };
    if (found.artifact === null || found.version === null) return { artifact: found.artifact, row: null };
    return { artifact: found.artifact, row: { artifact: found.artifact, version: found.version } };
  },
};

export const artifactFile: ArtifactKind<LoadedFile> = {
  query: (caller) => ({
    columns: [fileColumns, ...keptColumns(caller)],
    lateral: orAnother(file(caller), namedArtifact, fileBytes(caller.mayHave)),
  }),
  read(row, content) {
    const found = decidedOf(row);
    const { version_number: versionNumber, pruned_at: prunedAt, file_sha256: hash } = row;
    if (found === null || versionNumber === null) return { artifact: found, row: null };
    // A version that lost its content has no files any more, and says so.
    if (hash === null && prunedAt === null) return { artifact: found, row: null };
    const sha256 = Buffer.from(hash ?? []).toString("hex");
    const read = {
      fileSetId: row.file_set ?? "",
      path: row.file_path ?? "",
      sha256,
      bytes: content({ sha256, prunedAt }),
    };
    const artifact = { ...found, type: row.type, address: row.address };
    return { artifact: found, row: { artifact, version: { versionNumber, prunedAt }, file: read } };
  },
};

export const artifactThumbnail: ArtifactKind<LoadedPicture> = {
  query: ({ mayHave }) => ({
    columns: [artifactList, pictureColumns],
    lateral: orAnother(picture, "r.artifact", image(mayHave)),
  }),
  read(row) {
    const found = artifactOf(row);
    if (found === null) return { artifact: null, row: null };
    return { artifact: found, row: { artifact: found, version: null, picture: headPictureOf(row) } };
  },
};

export const versionThumbnail: ArtifactKind<LoadedPicture> = {
  query: ({ mayHave }) => ({
    columns: [artifactList, pictureColumns, versionPictureColumns],
    lateral: orAnother(versionPicture, "r.artifact", versionImage(mayHave)),
  }),
  read(row) {
    const [found, picturedVersion, itsPicture] = [artifactOf(row), picturedVersionOf(row), pictureOf(row)];
    if (found === null || picturedVersion === null) return { artifact: found, row: null };
    return { artifact: found, row: { artifact: found, version: picturedVersion, picture: itsPicture } };
  },
};

const artifactList = `
  a.is_named, ${listOf(artifactColumns, "a")}`;

/** Of the tables of the statements below; `h` is the latest version. */
const artifactSelect = selectOf(artifactColumns, { artifact: "a", workspace: "w", project: "p", version: "h" });

/** The identifier of no project: a slug in a missing project is looked up like a slug that does not exist. */
const noProject = "'00000000-0000-0000-0000-000000000000'::uuid";

const namedProject = `coalesce((
        SELECT op.project_id FROM project op
        WHERE op.workspace_id = ${namedOwner} AND op.slug = r.project_slug AND op.deleted_at IS NULL
      ), (${formerlyAt(namedOwner)}), ${noProject})`;

/**
 * The artifact that has the slug in the project; otherwise the one that had it. Both are always looked for, in the project that
 * is looked for once (OFFSET 0), so that a slug that is not there takes as long as a hidden one. The hash selects the index
 * artifact_address.
 */
const bySlug = `(
      SELECT found.artifact_id
      FROM (SELECT ${namedProject} AS project_id OFFSET 0) np, LATERAL (
        SELECT s.artifact_id, 0 AS rank FROM artifact s
        WHERE artifact_address_key(s.project_id, s.slug) = hashtextextended(np.project_id::text || '/' || r.slug, 0)
          AND s.slug = r.slug AND s.deleted_at IS NULL AND s.project_id = np.project_id
        UNION ALL
        SELECT s.artifact_id, 1 FROM former_artifact_address f JOIN artifact s ON s.artifact_id = f.artifact_id
        WHERE f.slug = r.slug AND f.project_id = np.project_id AND s.deleted_at IS NULL
        ORDER BY rank LIMIT 1
      ) found)`;

const namedArtifact = `coalesce(r.artifact, (
      SELECT l.artifact_id FROM share_link l WHERE l.share_link_id = r.share_link), ${bySlug})`;

/** By the first of the source paths that there is, otherwise by the slug. */
const artifactBySource = `coalesce((
      SELECT s.artifact_id FROM artifact s
      WHERE lower(s.source_path) = ANY (r.source_paths) AND s.deleted_at IS NULL AND s.source_path IS NOT NULL
        AND s.project_id = ${namedProject}
      ORDER BY array_position(r.source_paths, lower(s.source_path)), s.source_path = r.path DESC, s.source_path
      LIMIT 1), ${bySlug})`;

/** Selects the artifact with an identifier, and the bytes that come with it. */
type Select = (which: string, bytes: string, isNamed: boolean) => string;

/** Selects the bytes that the caller may have; for an artifact that was not named none, in the same time. */
type Bytes = (isNamed: boolean) => string;

/**
 * The named artifact, or another one where it is missing: a missing artifact is loaded, sent and read like a hidden one
 * and takes as long (docs/reference/security.md §3). No caller receives the other one. PostgreSQL evaluates the second
 * half only where the first finds nothing.
 */
const orAnother = (select: Select, named: string, bytes: Bytes) => `
  LEFT JOIN LATERAL (${select(named, bytes(true), true)}
    UNION ALL${select("(SELECT d.artifact_id FROM artifact d ORDER BY d.artifact_id LIMIT 1)", bytes(false), false)}
    LIMIT 1
  ) a ON true`;

interface Artifact {
  readonly columns?: (bytes: string) => string;
  readonly joined?: string;
  /** The alias of the version that is meant, where the versions of the rows come with them. */
  readonly versions?: "h" | "v" | undefined;
}

const artifact =
  ({ columns = () => "", joined = "", versions }: Artifact = {}): Select =>
  (which, bytes, isNamed) =>
    `
    SELECT ${isNamed} AS is_named, ${artifactSelect}${
      versions === undefined ? "" : `, ${versionsOfArtifact(versions)} AS row_versions`
    }${columns(bytes)}
    FROM artifact a
    JOIN project p ON p.project_id = a.project_id
    JOIN workspace w ON w.workspace_id = a.workspace_id
    JOIN version h ON h.artifact_id = a.artifact_id AND h.version_number = a.latest_version${joined}
    WHERE a.artifact_id = ${which}`;

const versionList = `
  ${listOf(versionColumns, "a", "v_")}, ${fileSetList("a")}, a.data`;

/**
 * The bytes of a version, read only where the caller may have them and does not have them yet: a long hidden text must
 * not take longer than a short one.
 */
const bytes =
  (mayHave: string): Bytes =>
  (isNamed) =>
    `
      CASE WHEN (${mayHave}) AND v.pruned_at IS NULL AND v.sha256 IS DISTINCT FROM r.have AND a.deleted_at IS NULL
        THEN ${isNamed ? `(SELECT ${storedContent} FROM content c WHERE c.sha256 = v.sha256)` : "NULL::bytea"} END`;

/** The artifact with one of its versions. */
const version = ({ isKept }: CallerQuery): Select =>
  artifact({
    versions: isKept && "v",
    columns: (data) => `,
      ${selectOf(versionColumns, { version: "v" }, "v_")}, ${fileSetSelect}, ${data} AS data`,
    joined: `
    LEFT JOIN version v
      ON v.artifact_id = a.artifact_id AND v.version_number = coalesce(r.version, a.latest_version)
    LEFT JOIN file_set s ON s.file_set_id = v.file_set`,
  });

const pictureColumns = `
  a.picture_of, a.picture_tag, a.is_picture, a.picture`;

/** Differs for each size and each capture. */
const pictureTag = `(t.version_number || '-' || (extract(epoch FROM t.taken_at) * 1000000)::bigint
        || CASE WHEN r.is_small THEN '-s' ELSE '-l' END)`;

/** The bytes of the screenshot, read only where the caller may have them and does not have them yet. */
const imageWhere =
  (isShown: string) =>
  (mayHave: string): Bytes =>
  (isNamed) =>
    `
      CASE WHEN (${mayHave}) AND ${isShown} AND a.deleted_at IS NULL
          AND ${pictureTag} <> ALL (coalesce(r.held, '{}'))
        THEN ${isNamed ? "CASE WHEN r.is_small THEN t.small ELSE t.large END" : "NULL::bytea"} END`;

const image = imageWhere("t.version_number = a.latest_version");
const versionImage = imageWhere("v.pruned_at IS NULL");

/** The artifact with its stored screenshot, which may show an earlier version than the latest. */
const picture = artifact({
  columns: (data) => `,
      t.version_number AS picture_of, ${pictureTag} AS picture_tag, t.large IS NOT NULL AS is_picture,
      ${data} AS picture`,
  joined: `
    LEFT JOIN thumbnail t ON t.artifact_id = a.artifact_id`,
});

const versionPictureColumns = `
  a.version_number, a.pruned_at, a.picture_asked_at`;

/** The artifact with one of its versions and that version's screenshot; `thumbnail` has the latest version's. */
const versionPicture = artifact({
  columns: (data) => `,
      v.version_number, v.pruned_at, t.version_number AS picture_of, ${pictureTag} AS picture_tag,
      t.large IS NOT NULL AS is_picture, t.asked_at AS picture_asked_at, ${data} AS picture`,
  joined: `
    LEFT JOIN version v ON v.artifact_id = a.artifact_id AND v.version_number = r.version
    LEFT JOIN LATERAL (
      SELECT h.version_number, h.taken_at, h.large, h.small, NULL::timestamptz AS asked_at
      FROM thumbnail h
      WHERE h.artifact_id = a.artifact_id AND h.version_number = r.version AND r.version = a.latest_version
      UNION ALL
      SELECT o.version_number, o.taken_at, o.large, o.small, o.asked_at
      FROM version_picture o
      WHERE o.artifact_id = a.artifact_id AND o.version_number = r.version AND r.version < a.latest_version
        AND o.taken_at IS NOT NULL
      LIMIT 1
    ) t ON true`,
});

const sourceColumns = `
  a.is_named, a.artifact_id, a.workspace_id, a.creator_id, a.slug, a.type, a.public_view, a.public_edit,
  a.viewer_emails, a.deleted_at, a.address, a.version_number, a.sha256, a.pruned_at, a.data`;

/** Where the request names an address: of the present one. */
const addressed = `
    LEFT JOIN project p ON p.project_id = a.project_id AND r.slug IS NOT NULL
    LEFT JOIN workspace w ON w.workspace_id = p.workspace_id AND r.slug IS NOT NULL`;

/** The present address, null where the request names none; with the versions of the rows where they come with them. */
const address = ({ isKept }: CallerQuery): string => `
      w.slug || '/' || p.slug || '/' || a.slug AS address${isKept === true ? `, ${versionsOfText} AS row_versions` : ""}`;

/**
 * The text of a version, with the columns that decide who may read it. A public artifact, which is read most, comes
 * without its allowlist.
 */
const source =
  (caller: CallerQuery): Select =>
  (which, data, isNamed) =>
    `
    SELECT a.artifact_id, ${isNamed} AS is_named, a.workspace_id, a.creator_id, a.slug, a.type, a.public_view,
      a.public_edit, CASE WHEN NOT a.public_view THEN a.viewer_emails END AS viewer_emails, a.deleted_at,${address(caller)},
      v.version_number, v.sha256, v.pruned_at, ${data} AS data
    FROM artifact a
    JOIN version v ON v.artifact_id = a.artifact_id AND v.version_number = coalesce(${isNamed ? "r.version" : "NULL"}, a.latest_version)${addressed}
    WHERE a.artifact_id = ${which}`;

const fileColumns = `
  a.is_named, a.artifact_id, a.workspace_id, a.creator_id, a.slug, a.type, a.public_view, a.public_edit,
  a.viewer_emails, a.deleted_at, a.address, a.version_number, a.pruned_at, a.file_set, a.file_path, a.file_sha256, a.data`;

/** The bytes of a file, read only where the caller may have them and does not have them yet. */
const fileBytes =
  (mayHave: string): Bytes =>
  (isNamed) =>
    `
      CASE WHEN (${mayHave}) AND v.pruned_at IS NULL AND a.deleted_at IS NULL
          AND encode(f.sha256, 'hex') <> ALL (coalesce(r.held, '{}'))
        THEN ${isNamed ? `(SELECT ${storedContent} FROM content c WHERE c.sha256 = f.sha256)` : "NULL::bytea"} END`;

/** One of the files beside a version, with the columns that decide who may read it. */
const file =
  (caller: CallerQuery): Select =>
  (which, data, isNamed) =>
    `
    SELECT a.artifact_id, ${isNamed} AS is_named, a.workspace_id, a.creator_id, a.slug, a.type, a.public_view,
      a.public_edit, a.viewer_emails, a.deleted_at,${address(caller)}, v.version_number, v.pruned_at, v.file_set, f.path AS file_path,
      f.sha256 AS file_sha256, ${data} AS data
    FROM artifact a
    LEFT JOIN version v ON v.artifact_id = a.artifact_id AND v.version_number = coalesce(${isNamed ? "r.version" : "NULL"}, a.latest_version)
    LEFT JOIN file_set_file f ON f.file_set_id = v.file_set AND f.path = r.path${addressed}
    WHERE a.artifact_id = ${which}`;

interface FileColumns {
  /** Of a text or a file alone; null where the request names an identifier. */
  address: string | null;
  /** Null where the version does not exist or has no such file. */
  file_path: string | null;
  file_sha256: Uint8Array | null;
}

interface ArtifactColumns extends Omit<RawRow<typeof artifactColumns>, "artifact_id" | "viewer_emails"> {
  /** False for the artifact that stands in for a missing one (`orAnother`); null where the instance has none. */
  readonly is_named: boolean | null;
  /** Null where the instance has no artifact. */
  readonly artifact_id: string | null;
  /** Null for the text of a public artifact. */
  readonly viewer_emails: readonly string[] | null;
}

const readArtifact = readerOf(artifactColumns);

const artifactOf = (row: ArtifactColumns): ArtifactRow | null => (row.artifact_id === null ? null : readArtifact(row));

interface VersionColumns extends Omit<RawRow<typeof versionColumns, "v_">, "v_version_number">, FileSetColumns {
  /** Null where the version does not exist. */
  readonly v_version_number: number | null;
}

const readVersion = readerOf(versionColumns, "v_");

function versionOf(row: ArtifactColumns & VersionColumns): VersionRow | null {
  if (row.artifact_id === null || row.v_version_number === null) return null;
  return { artifactId: encodeId("art", row.artifact_id), ...readVersion(row), files: fileSetOf(row) };
}

/** Of a text, a file or a screenshot, which come without the rest of their version. */
interface MeantColumns {
  /** Null where the version does not exist. */
  version_number: number | null;
  sha256: Uint8Array;
  pruned_at: Date | null;
  file_set: string | null;
}

/** Null where the instance has no artifact. */
function decidedOf(row: ArtifactColumns): DecidedArtifact | null {
  if (row.artifact_id === null) return null;
  return {
    artifactId: encodeId("art", row.artifact_id),
    workspaceId: encodeId("wsp", row.workspace_id),
    creatorId: encodeId("usr", row.creator_id),
    publicView: row.public_view,
    publicEdit: row.public_edit,
    viewerEmails: row.viewer_emails ?? [],
    deletedAt: row.deleted_at,
  };
}

/** Null where the artifact or the version is missing. */
function sourceOf(row: ArtifactColumns & MeantColumns & FileColumns): Omit<LoadedSource, "bytes"> | null {
  if (row.version_number === null) return null;
  const decided = decidedOf(row);
  if (decided === null) return null;
  return {
    artifact: { ...decided, slug: row.slug, type: row.type, address: row.address },
    version: {
      versionNumber: row.version_number,
      sha256: Buffer.from(row.sha256).toString("hex"),
      prunedAt: row.pruned_at,
    },
  };
}

interface PictureColumns {
  /** Null where there is no screenshot yet. */
  picture_of: number | null;
  picture_tag: string;
  is_picture: boolean;
  picture: Uint8Array | null;
  /** Missing where no version was named. */
  picture_asked_at?: Date | null;
}

/** The screenshot of the latest version; null where there is none yet, or only one of an earlier version. */
function headPictureOf(row: ArtifactColumns & PictureColumns): PictureRow | null {
  return row.picture_of === row.latest_version ? pictureOf(row) : null;
}

/** Null where there is no screenshot yet. */
function pictureOf(row: ArtifactColumns & PictureColumns): PictureRow | null {
  if (row.artifact_id === null || row.picture_of === null) return null;
  return {
    tag: row.picture_tag,
    isTaken: row.is_picture,
    bytes: row.picture,
    askedAt: row.picture_asked_at ?? null,
  };
}

/** The version that the request names; null where it is missing. */
const picturedVersionOf = (row: MeantColumns): Pick<VersionRow, "versionNumber" | "prunedAt"> | null =>
  row.version_number === null ? null : { versionNumber: row.version_number, prunedAt: row.pruned_at };
