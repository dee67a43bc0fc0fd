// Invariants of a database, each as a statement that returns its violations (docs/reference/security.md §4). Reads
// only.

import { surelyAuditedDays } from "../plans/days.ts";
import { planInvariants } from "./plans.ts";

/** How long a job may wait in the outbox. */
const outboxMinutes = 15;

/** Under any plan that the workspace had, the event of so recent a change still exists. */
const stillAudited = (time: string): string => `${time} > now() - make_interval(days => ${surelyAuditedDays})`;

/**
 * Changes of access lead from one state to the next. So the state of an artifact was entered once more often than it
 * was left, in any order of their events; equally often where the first events have expired and the artifact already
 * had that state.
 */
const accessHistory = `
  SELECT count(*) FILTER (WHERE e.reached = s.now) AS ends, count(*) FILTER (WHERE e.before = s.now) AS starts,
    count(*) AS known, coalesce(bool_or(e.kind = 'artifact.created'), false) AS whole
  FROM (
    SELECT e.kind, e.before, CASE e.kind WHEN 'artifact.created' THEN e.after -> 'access' ELSE e.after END AS reached
    FROM audit_event e
    WHERE e.artifact_id = a.artifact_id AND e.kind IN ('artifact.created', 'access.updated')
  ) e
  CROSS JOIN (SELECT jsonb_build_object('publicView', a.public_view, 'publicEdit', a.public_edit,
    'viewerEmails', to_jsonb(a.viewer_emails)) AS now) s`;

/** A link's identifier as events name it (contract/ids.ts): five bits a character, the first one filled up. */
const shareLinkId = `'shr_' || (
  SELECT string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', substr(b.bits, 5 * n + 1, 5)::bit(5)::int + 1, 1), '' ORDER BY n)
  FROM (SELECT '00' || ('x' || replace(l.share_link_id::text, '-', ''))::bit(128)::text AS bits) b, generate_series(0, 25) n)`;

const eventOfLink = (kind: string): string =>
  `SELECT 1 FROM audit_event e WHERE e.artifact_id = l.artifact_id AND e.kind = '${kind}' AND e.target_id = ${shareLinkId}`;

/** By their names: each returns a row with the text column `broken` for each thing that breaks it. */
export const invariants: Readonly<Record<string, string>> = {
  "the head is the greatest version": `
    SELECT format('%s has head %s and greatest version %s', a.artifact_id, a.latest_version, v.greatest) AS broken
    FROM artifact a
    LEFT JOIN LATERAL (SELECT max(version_number) AS greatest FROM version v WHERE v.artifact_id = a.artifact_id) v
      ON true
    WHERE v.greatest IS DISTINCT FROM a.latest_version`,
  "version numbers have no gaps": `
    SELECT format('%s has %s versions up to %s', artifact_id, count(*), max(version_number)) AS broken
    FROM version
    GROUP BY artifact_id
    HAVING count(*) <> max(version_number) OR min(version_number) <> 1`,
  "no head has lost its content": `
    SELECT format('%s version %s', a.artifact_id, a.latest_version) AS broken
    FROM artifact a
    JOIN version v ON v.artifact_id = a.artifact_id AND v.version_number = a.latest_version
    WHERE v.pruned_at IS NOT NULL`,
  "versions have lost their content from the first one on, as far as their artifact says": `
    SELECT format('%s version %s', v.artifact_id, v.version_number) AS broken
    FROM version v
    JOIN artifact a ON a.artifact_id = v.artifact_id
    WHERE (v.pruned_at IS NOT NULL) <> (v.version_number <= a.pruned_through)`,
  "every artifact says when its oldest version with content was superseded": `
    SELECT format('%s says %s', a.artifact_id, a.oldest_superseded_at) AS broken
    FROM artifact a
    LEFT JOIN version v ON v.artifact_id = a.artifact_id AND v.version_number = a.pruned_through + 2
    WHERE v.created_at IS DISTINCT FROM a.oldest_superseded_at`,
  "every content is that of a version, a file, a package or an image": `
    SELECT encode(c.sha256, 'hex') AS broken
    FROM content c
    WHERE NOT EXISTS (SELECT 1 FROM version v WHERE v.sha256 = c.sha256 AND v.pruned_at IS NULL)
      AND NOT EXISTS (SELECT 1 FROM package_file f WHERE f.content = c.sha256)
      AND NOT EXISTS (SELECT 1 FROM remote_image i WHERE i.content = c.sha256)
      AND NOT EXISTS (SELECT 1 FROM workspace_file f WHERE f.sha256 = c.sha256)`,
  "every file is used by a version of its workspace, or says since when it is not": `
    SELECT format('%s of %s', encode(w.sha256, 'hex'), w.workspace_id) AS broken
    FROM workspace_file w
    WHERE w.unused_since IS NULL AND NOT EXISTS (
      SELECT 1 FROM file_set_file f WHERE f.workspace_id = w.workspace_id AND f.sha256 = w.sha256)`,
  "every file of a version is of its artifact's workspace and has the size that its workspace counts": `
    SELECT format('%s of %s', f.path, s.artifact_id) AS broken
    FROM file_set_file f
    JOIN file_set s ON s.file_set_id = f.file_set_id
    JOIN artifact a ON a.artifact_id = s.artifact_id
    LEFT JOIN workspace_file w ON w.workspace_id = f.workspace_id AND w.sha256 = f.sha256
    LEFT JOIN content c ON c.sha256 = f.sha256
    WHERE f.workspace_id <> a.workspace_id OR w.size_bytes IS DISTINCT FROM c.size_bytes`,
  "every set of files has as many files and bytes as it says, and a version": `
    SELECT s.file_set_id::text AS broken
    FROM file_set s
    LEFT JOIN LATERAL (
      SELECT count(*) AS files, sum(w.size_bytes) AS bytes FROM file_set_file f
      JOIN workspace_file w ON w.workspace_id = f.workspace_id AND w.sha256 = f.sha256
      WHERE f.file_set_id = s.file_set_id
    ) f ON true
    WHERE f.files <> s.file_count OR f.bytes IS DISTINCT FROM s.size_bytes
      OR NOT EXISTS (SELECT 1 FROM version v WHERE v.file_set = s.file_set_id AND v.artifact_id = s.artifact_id)`,
  "no version that lost its content has files": `
    SELECT format('%s version %s', artifact_id, version_number) AS broken
    FROM version
    WHERE pruned_at IS NOT NULL AND file_set IS NOT NULL`,
  "every image that a version shows is kept for it": `
    SELECT format('%s version %s: %s', l.artifact_id, l.version_number, e.entry ->> 'url') AS broken
    FROM image_lock l
    CROSS JOIN LATERAL jsonb_array_elements(l.entries) AS e(entry)
    WHERE e.entry #>> '{image,key}' IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM image_use u
      WHERE u.artifact_id = l.artifact_id AND u.version_number = l.version_number
        AND encode(u.image, 'hex') = e.entry #>> '{image,key}')`,
  "every complete lock names kept files": `
    SELECT format('%s version %s: %s of %s', l.artifact_id, l.version_number, f ->> 'path', f ->> 'name') AS broken
    FROM package_lock l
    CROSS JOIN LATERAL jsonb_array_elements(l.entries) e
    CROSS JOIN LATERAL jsonb_array_elements(e -> 'files') f
    LEFT JOIN package_file k ON k.package = decode(f ->> 'package', 'hex') AND k.path = f ->> 'path'
    WHERE l.is_complete AND f ->> 'sha256' IS NOT NULL AND encode(k.content, 'hex') IS DISTINCT FROM f ->> 'sha256'`,
  "every package that a lock names is one that it uses, and every use has a lock": `
    SELECT format('%s version %s: package %s', l.artifact_id, l.version_number, f ->> 'package') AS broken
    FROM package_lock l
    CROSS JOIN LATERAL jsonb_array_elements(l.entries) e
    CROSS JOIN LATERAL jsonb_array_elements((e -> 'files') || coalesce(e -> 'companions', '[]')) f
    WHERE NOT EXISTS (
      SELECT 1 FROM package_use u
      WHERE u.artifact_id = l.artifact_id AND u.version_number = l.version_number
        AND u.package = decode(f ->> 'package', 'hex'))
    UNION
    SELECT format('%s version %s has no lock', u.artifact_id, u.version_number)
    FROM package_use u
    WHERE NOT EXISTS (
      SELECT 1 FROM package_lock l WHERE l.artifact_id = u.artifact_id AND l.version_number = u.version_number)`,
  "no version that lost its content has a lock": `
    SELECT format('%s version %s', l.artifact_id, l.version_number) AS broken
    FROM package_lock l
    JOIN version v ON v.artifact_id = l.artifact_id AND v.version_number = l.version_number
    WHERE v.pruned_at IS NOT NULL`,
  "everything rendered is of a content": `
    SELECT format('%s by %s', encode(r.sha256, 'hex'), r.renderer) AS broken
    FROM rendering r
    WHERE NOT EXISTS (SELECT 1 FROM content c WHERE c.sha256 = r.sha256)`,
  "no screenshot is of a version that does not exist": `
    SELECT format('%s version %s', t.artifact_id, t.version_number) AS broken
    FROM thumbnail t
    JOIN artifact a ON a.artifact_id = t.artifact_id
    WHERE t.version_number > a.latest_version`,
  "every version that is kept has its content, of its size": `
    SELECT format('%s version %s', v.artifact_id, v.version_number) AS broken
    FROM version v
    LEFT JOIN content c ON c.sha256 = v.sha256
    WHERE v.pruned_at IS NULL AND c.size_bytes IS DISTINCT FROM v.size_bytes`,
  "a restored version has the content of the one it was restored from": `
    SELECT format('%s version %s from %s', v.artifact_id, v.version_number, v.restored_from) AS broken
    FROM version v
    LEFT JOIN version o ON o.artifact_id = v.artifact_id AND o.version_number = v.restored_from
    WHERE v.restored_from IS NOT NULL AND (o.sha256 IS DISTINCT FROM v.sha256 OR v.restored_from >= v.version_number)`,
  "every artifact is in its project's workspace, and a deleted project has none that is not deleted": `
    SELECT format('%s in project %s', a.artifact_id, a.project_id) AS broken
    FROM artifact a
    LEFT JOIN project p ON p.project_id = a.project_id
    WHERE p.workspace_id IS DISTINCT FROM a.workspace_id OR (p.deleted_at IS NOT NULL AND a.deleted_at IS NULL)`,
  "every artifact's creation was recorded": `
    SELECT a.artifact_id::text AS broken
    FROM artifact a
    WHERE ${stillAudited("a.created_at")} AND NOT EXISTS (
      SELECT 1 FROM audit_event e WHERE e.artifact_id = a.artifact_id AND e.kind = 'artifact.created')`,
  "every later version was recorded": `
    SELECT format('%s version %s', v.artifact_id, v.version_number) AS broken
    FROM version v
    WHERE v.version_number > 1 AND ${stillAudited("v.created_at")} AND NOT EXISTS (
      SELECT 1 FROM audit_event e
      WHERE e.artifact_id = v.artifact_id AND e.kind IN ('artifact.updated', 'artifact.restored')
        AND e.after ->> 'latestVersion' = v.version_number::text)`,
  "every change of access was recorded": `
    SELECT a.artifact_id::text AS broken
    FROM artifact a
    CROSS JOIN LATERAL (${accessHistory}) h
    WHERE h.ends > 0 AND NOT (h.ends - h.starts = 1 OR (h.ends = h.starts AND NOT h.whole))
      OR h.ends = 0 AND h.known > 0`,
  "every deletion was recorded": `
    SELECT a.artifact_id::text AS broken
    FROM artifact a
    WHERE a.deleted_at IS NOT NULL AND ${stillAudited("a.deleted_at")} AND NOT EXISTS (
      SELECT 1 FROM audit_event e WHERE e.artifact_id = a.artifact_id AND e.kind = 'artifact.deleted')`,
  "every share link's making was recorded": `
    SELECT l.share_link_id::text AS broken
    FROM share_link l
    WHERE ${stillAudited("l.created_at")} AND NOT EXISTS (${eventOfLink("share_link.created")})`,
  "every share link's revocation was recorded": `
    SELECT l.share_link_id::text AS broken
    FROM share_link l
    WHERE l.revoked_at IS NOT NULL AND ${stillAudited("l.revoked_at")}
      AND NOT EXISTS (${eventOfLink("share_link.revoked")})`,
  "a share link's uses are never fewer than none, and have a time where there are some": `
    SELECT format('%s used %s times, last at %s', l.share_link_id, l.use_count, l.last_used_at) AS broken
    FROM share_link l
    WHERE l.use_count < 0 OR (l.use_count = 0) <> (l.last_used_at IS NULL)`,
  "every workspace has an admin": `
    SELECT w.slug AS broken
    FROM workspace w
    WHERE NOT EXISTS (SELECT 1 FROM membership m WHERE m.workspace_id = w.workspace_id AND m.role = 'admin')`,
  "no credential outlives the one it was made with": `
    SELECT format('%s made with %s', c.credential_id, c.made_with) AS broken
    FROM credential c
    JOIN credential m ON m.credential_id = c.made_with
    WHERE m.revoked_at <= now() AND (c.revoked_at IS NULL OR c.revoked_at > now())
      AND (c.expires_at IS NULL OR c.expires_at > now())`,
  "every personal workspace has its owner as an admin, and a team has no owner": `
    SELECT w.slug AS broken
    FROM workspace w
    LEFT JOIN membership m ON m.workspace_id = w.workspace_id AND m.user_id = w.personal_of
    WHERE (w.kind = 'personal' AND m.role IS DISTINCT FROM 'admin') OR (w.kind = 'team' AND w.personal_of IS NOT NULL)`,
  "the seats of a team are of a personal workspace's plan, or of its own": `
    SELECT w.slug AS broken
    FROM workspace w
    LEFT JOIN workspace h ON h.workspace_id = w.plan_holder_id
    WHERE w.plan_holder_id IS NOT NULL AND (w.kind <> 'team' OR h.kind IS DISTINCT FROM 'personal')`,
  ...planInvariants,
  "no name is kept for one account while another has it": `
    SELECT format('%s of %s', f.slug, f.workspace_id) AS broken
    FROM former_name f
    JOIN workspace w ON w.slug = f.slug`,
  "no address is kept for one artifact while another has it": `
    SELECT format('%s of %s', f.slug, f.artifact_id) AS broken
    FROM former_artifact_address f
    JOIN artifact a ON a.project_id = f.project_id AND a.slug = f.slug AND a.deleted_at IS NULL`,
  "a former address of an artifact is in a project": `
    SELECT format('%s of %s', f.slug, f.artifact_id) AS broken
    FROM former_artifact_address f
    WHERE NOT EXISTS (SELECT FROM project p WHERE p.project_id = f.project_id)`,
  "no address is kept for one project while another has it": `
    SELECT format('%s of %s', f.slug, f.project_id) AS broken
    FROM former_address f
    JOIN project p ON p.workspace_id = f.workspace_id AND p.slug = f.slug AND p.deleted_at IS NULL`,
  "an invitation was accepted by someone, or revoked, or neither": `
    SELECT i.invitation_id::text AS broken
    FROM invitation i
    WHERE (i.accepted_at IS NULL) <> (i.accepted_by IS NULL) OR (i.accepted_at IS NOT NULL AND i.revoked_at IS NOT NULL)`,
  "what search looks at is of no version that does not exist": `
    SELECT format('%s version %s', s.artifact_id, s.version_number) AS broken
    FROM search_document s
    JOIN artifact a ON a.artifact_id = s.artifact_id
    WHERE s.version_number > a.latest_version`,
  // Screenshots can wait where many are to be captured.
  "no job waits in the outbox for long": `
    SELECT format('%s %s since %s', kind, job_id, created_at) AS broken
    FROM outbox
    WHERE created_at < now() - interval '${outboxMinutes} minutes' AND kind NOT LIKE 'thumbnail%'
      AND dedupe_key IS NULL`,
};
