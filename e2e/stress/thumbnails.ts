// Real documents of each type get screenshots on a running instance. It only checks that a screenshot is a WebP that is
// not blank; the contact sheets are for review.
import { SQL } from "bun";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { ArtifactType } from "@plinth/contract/schemas/artifact";

import { databaseUrlOf } from "../harness/embedded-database.ts";
import { markdown } from "../corpus/corpus.ts";
import { htmlDocuments, jsxDocuments } from "../documents/documents.ts";
import { startInstance, type Instance } from "../harness/instance.ts";
import { createArtifact, createPerson, createProject, operatorOf, type Person } from "../harness/people.ts";
import { repository, temporaryFolder, withScreenshots } from "../harness/process.ts";
import { assert, type StressTest } from "./stress-test.ts";
import { writeContactSheet } from "./contact-sheet.ts";

export const thumbnails: StressTest = {
  claim: "real documents of each type get a screenshot",
  count: 60,
  shortCount: 3,
  async run({ count }) {
    const folder = await temporaryFolder("thumbnails");
    const documents = await documentsOf(Math.ceil(count / 3));
    const instance = await startInstance({ env: withScreenshots });
    const sql = new SQL(databaseUrlOf(instance.dataDir), { max: 1 });
    let laterRounds = 0;
    try {
      const person = await createPerson(instance);
      const { slug } = await createProject(person);
      const pending: { readonly name: string; readonly artifactId: string }[] = [];
      for (const { name, type, content } of documents) {
        const { artifactId } = await createArtifact(person, slug, { type, content, title: name });
        pending.push({ name, artifactId });
      }
      const taken: string[] = [];
      const later = async () => {
        if (await laterOf(sql, instance)) laterRounds++;
      };
      for (const { name, artifactId } of pending) {
        const large = await screenshotOf(instance.origin, person, artifactId, 1200, later);
        const small = await screenshotOf(instance.origin, person, artifactId, 600, later);
        // A screenshot of a single colour has a tenth of that.
        assert(small.length > 2_000, () => `the screenshot of ${name} is blank`);
        const file = join(folder, `${name.replaceAll(/[^\w.-]+/g, "-")}.webp`);
        await mkdir(folder, { recursive: true });
        await writeFile(file, large);
        taken.push(file);
      }
      const sheets: string[] = [];
      for (let first = 0; first < taken.length; first += 20)
        sheets.push(
          await writeContactSheet(taken.slice(first, first + 20), join(folder, `sheet-${first / 20 + 1}.png`)),
        );
      console.error(`screenshots and contact sheets: ${folder}`);
      return { screenshots: taken.length, laterRounds, sheets };
    } finally {
      await sql.close();
      await instance.stop();
    }
  },
};

interface Published {
  readonly name: string;
  readonly type: ArtifactType;
  readonly content: string;
}

/** This many of each type: READMEs of packages, and documents of coding agents. */
async function documentsOf(each: number): Promise<Published[]> {
  const written = async (type: "html" | "jsx", files: readonly { readonly file: string }[]): Promise<Published[]> =>
    Promise.all(
      files.slice(0, each).map(async ({ file }) => ({
        name: file,
        type,
        content: await readFile(join(repository, "e2e/documents", type, file), "utf8"),
      })),
    );
  const found = await Promise.all([markdown(each), written("html", htmlDocuments), written("jsx", jsxDocuments)]);
  for (const documents of found) assert(documents.length >= each, () => `there are fewer than ${each} of one type`);
  return found.flatMap((documents) => documents.slice(0, each));
}

/**
 * Advances the time of captures that timed out on the busy machine, so that the service retries them. @throws if it
 * does not retry any more
 */
async function laterOf(sql: SQL, instance: Instance): Promise<boolean> {
  const [lost] =
    (await sql`SELECT failure FROM thumbnail WHERE failure IS NOT NULL AND late_rounds NOT BETWEEN 1 AND 3`) as {
      failure: string;
    }[];
  assert(lost === undefined, () => `there is a document without a screenshot, which ${lost?.failure}`);
  const late = await sql`UPDATE thumbnail SET taken_at = taken_at - interval '3 days'
    WHERE late_rounds > 0 AND taken_at > now() - interval '2 days' RETURNING artifact_id`;
  await operatorOf(instance).call("operator.runJob", { kind: "thumbnails" });
  return late.length > 0;
}

/** Minutes for each, because they are captured one after the other beside other work. */
const TRIES = 1200;

async function screenshotOf(
  origin: string,
  person: Person,
  artifactId: string,
  size: number,
  later: () => Promise<void>,
): Promise<Uint8Array> {
  for (let tries = 0; tries < TRIES; tries++) {
    const answer = await fetch(`${origin}/api/artifacts/${artifactId}/thumbnail?size=${size}`, {
      headers: { authorization: `Bearer ${person.token}` },
    });
    const state = answer.headers.get("x-thumbnail");
    const bytes = new Uint8Array(await answer.arrayBuffer());
    assert(answer.status === 200, () => `${artifactId}: ${answer.status}`);
    if (state === "ready") return bytes;
    // Undecided for 10 s: the machine may have been too busy, and the scheduled job retries at once.
    if (state === "placeholder" || tries % 40 === 39) await later();
    await Bun.sleep(250);
  }
  throw new Error(`the screenshot of ${artifactId} was not taken`);
}
