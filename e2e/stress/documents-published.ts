// A document as its readers see it: published on a running instance, with its packages, in the frame of its page.
import { join } from "node:path";

import { decodeId } from "@plinth/contract/ids";
import { ProblemError } from "@plinth/contract/client";
import type { SQL } from "bun";
import type { BrowserContext } from "playwright-core";

import type { CommandLine } from "../harness/command-line.ts";
import { createArtifact, type Person } from "../harness/people.ts";
import { hung } from "../harness/process.ts";
import type { MissingPackage } from "./documents-compare.ts";
import { watchDocument, type Look } from "./documents-look.ts";
import type { Size } from "./documents-reference.ts";
import type { FilesBeside, SetDocument } from "./documents-set.ts";

export interface PublishedDocument {
  readonly look: Look;
  readonly missing: readonly MissingPackage[];
  /** The URLs that the push said nothing is at, as the document or its files have them. */
  readonly notFound: readonly string[];
  /** Of the frame, for the reference to have the same. */
  readonly size: Size;
}

/** A document that put another page in its place, which its frame does not open. */
export const leaves = "leaves";

export interface Refusal {
  readonly refused: string;
}

export interface Publishing {
  /** Of all documents, so that the files of the page around them are loaded once. */
  readonly readers: BrowserContext;
  readonly sql: SQL;
  readonly author: Person;
  readonly projectSlug: string;
  readonly plinth: CommandLine;
}

/** For large packages over a slow line, in ms. */
const longestFetch = 3 * hung;

/** Publishes it, waits for its packages, and looks at its frame. */
export async function lookAtPublished(
  { readers, sql, author, projectSlug, plinth }: Publishing,
  { name, type, content, beside }: SetDocument,
  screenshot: string,
): Promise<PublishedDocument | Refusal | typeof leaves> {
  const published = await publishedOrRefused();
  if ("refused" in published) return published;
  if (type === "html") await locked(sql, published.artifactId);
  const page = await readers.newPage();
  try {
    const watch = await watchDocument(page);
    await page.goto(published.url, { waitUntil: "load" });
    const element = await page.waitForSelector("iframe[data-part=frame]", { state: "attached" });
    const [frame, box] = [await element.contentFrame(), await element.boundingBox()];
    if (frame === null) throw new Error("the page shows no frame");
    // The page hides the frame and says so.
    if (box === null) return leaves;
    // A page of ours stands for the document until its packages are there.
    await frame.waitForFunction(() => document.querySelector("main > p[role=status]") === null, null, {
      timeout: longestFetch,
    });
    const look = await watch.look(frame);
    const missing = await missingPackages(sql, published.artifactId);
    await element.screenshot({ path: screenshot, type: "jpeg", quality: 60 });
    return {
      look,
      missing,
      notFound: published.notFound,
      size: { width: Math.round(box.width), height: Math.round(box.height) },
    };
  } finally {
    await page.close();
  }

  async function publishedOrRefused() {
    if (beside !== undefined) return pushed(plinth, author, { projectSlug, ...beside });
    try {
      const made = await createArtifact(author, projectSlug, { type, content, title: name.slice(0, 200) });
      return { ...made, notFound: [] };
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      return { refused: `${error.problem.code}: ${error.problem.detail}` };
    }
  }
}

interface PushAnswer {
  readonly artifact: { readonly artifactId: string };
  readonly url: string;
  readonly notFound?: readonly { readonly url: string }[];
}

/** Pushes a document with its files, as its author would. */
async function pushed(
  plinth: CommandLine,
  author: Person,
  { projectSlug, root, path }: FilesBeside & { readonly projectSlug: string },
): Promise<{ readonly artifactId: string; readonly url: string; readonly notFound: readonly string[] } | Refusal> {
  // Several of a set are called README.md.
  const slug = `d-${Bun.randomUUIDv7()}`;
  const words = ["push", join(root, path), "--root", root, "--project-slug", projectSlug, "--slug", slug];
  const { code, stdout, stderr } = await plinth.run([...words, "--allow-secrets"], { SERVICE_TOKEN: author.token });
  if (code !== 0) return { refused: stderr };
  const { notFound = [], artifact, url } = JSON.parse(stdout) as PushAnswer;
  return { artifactId: artifact.artifactId, url, notFound: notFound.map((place) => place.url) };
}

interface LockRow {
  readonly entries: readonly { url: string; missing: { code: string; detail: string } | null }[];
}

/** Waits until the first attempt to fetch its packages is over, which decides what every reader gets at first. */
async function locked(sql: SQL, artifactId: string): Promise<void> {
  for (const until = performance.now() + longestFetch; performance.now() < until; await Bun.sleep(50))
    if ((await lockOf(sql, artifactId)) !== undefined) return;
  throw new Error("its packages were not fetched in time");
}

async function lockOf(sql: SQL, artifactId: string): Promise<LockRow | undefined> {
  const uuid = decodeId("art", artifactId);
  const [row] = (await sql`SELECT entries FROM package_lock
    WHERE artifact_id = ${uuid}::uuid AND version_number = 1`) as LockRow[];
  return row;
}

async function missingPackages(sql: SQL, artifactId: string): Promise<MissingPackage[]> {
  const { entries = [] } = (await lockOf(sql, artifactId)) ?? {};
  return entries.flatMap(({ url, missing }) => (missing === null ? [] : [{ url, ...missing }]));
}
