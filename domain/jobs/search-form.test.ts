// Search documents of form 1 become those of form 2 while people search and publish.
import { afterAll, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";

import { createSetupWithProject } from "../test/context.ts";
import { renewSearchDocuments, writeSearchDocuments } from "./search-document.ts";

const { setup, owner, project } = await createSetupWithProject();
afterAll(() => setup.close());

const seeded = 3000;
const idOf = "('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid";

/** Titles with letters that fold, and search documents as form 1 had them. */
async function seed(): Promise<void> {
  await setup.db.run(
    `INSERT INTO artifact (artifact_id, project_id, workspace_id, slug, type, title, latest_version, public_view,
       public_edit, viewer_emails, created_by, creator_id)
     SELECT ${idOf}, p.project_id, p.workspace_id, 'groesse-' || n, 'md', 'Größe nr' || n || 'x', 1, true, false, '{}',
       '{"type": "user", "id": "x", "label": "x"}', $1
     FROM generate_series(1, ${seeded}) n JOIN project p ON p.slug = $2`,
    [uuidOf("usr", owner.userId), project],
  );
  await setup.db.run(`INSERT INTO version (artifact_id, version_number, sha256, size_bytes, created_by)
    SELECT artifact_id, 1, '', 0, created_by FROM artifact WHERE slug LIKE 'groesse-%'`);
  await setup.db.run(
    `INSERT INTO search_document (artifact_id, version_number, name, words, public_view, text, form)
     SELECT artifact_id, 1, lower(title) || E'\\n' || slug,
       array_to_tsvector(string_to_array(lower(title), ' ') || ('!' || lower(title)) || ARRAY['=größe', '@tmd']),
       true, 'Die Größe als Text', 1
     FROM artifact WHERE slug LIKE 'groesse-%'`,
  );
}

const found = async (q: string) =>
  (await setup.call("artifact.list", { q, limit: 100 })).artifacts.map(({ slug, snippet }) => ({
    slug,
    quoted: snippet?.map(({ text }) => text).join(""),
  }));

const forms = () =>
  setup.db.run<{ form: number; rows: number; texts: number }>(
    "SELECT form, count(*)::int AS rows, count(*) FILTER (WHERE text <> '')::int AS texts FROM search_document GROUP BY form",
  );

test("every document is found before, while and after it takes its new form, and none is lost", async () => {
  await seed();
  expect(await found("größe nr7x")).toEqual([{ slug: "groesse-7", quoted: "Die Größe als Text" }]);
  let isRenewed = false;
  const renewing = renewSearchDocuments(setup.db).finally(() => (isRenewed = true));
  let [searches, published] = [0, 0];
  const search = async (step: number) => {
    for (let n = step; !isRenewed; n = (n + 577) % seeded) {
      const q = `größe nr${n + 1}x`;
      expect([q, (await found(q)).map(({ slug }) => slug)]).toEqual([q, [`groesse-${n + 1}`]]);
      searches++;
    }
  };
  const publish = async () => {
    for (; !isRenewed; published++) {
      const { artifactId } = await setup.publish(owner.token, project, {
        title: `Maß new${published}x`,
        content: "neu",
      });
      await writeSearchDocuments(setup.db, [artifactId]);
      expect(await found(`mass new${published}x`)).toHaveLength(1);
    }
  };
  await Promise.all([renewing, search(1), search(2), publish()]);
  expect(Math.min(searches, published)).toBeGreaterThan(0);
  expect(await forms()).toEqual([{ form: 2, rows: seeded + published, texts: 0 }]);
  for (const n of [1, 16, 17, 1500, seeded]) {
    for (const q of [`größe nr${n}x`, `GROSSE nr${n}x`])
      expect([q, (await found(q)).map(({ slug }) => slug)]).toEqual([q, [`groesse-${n}`]]);
  }
});
