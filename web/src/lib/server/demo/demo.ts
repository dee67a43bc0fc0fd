// The demo project made and removed, by public operations. Either may end half-way or be repeated: what is
// there stays, and what is missing is made.
import { ProblemError, type Client } from "@plinth/contract/client";
import { log } from "@plinth/platform/log";
import { pageLimit } from "@plinth/contract/limits";
import type { Artifact, ArtifactType } from "@plinth/contract/schemas/artifact";
import { error } from "@sveltejs/kit";
import { demoProject, demoSlug, isDemoProject } from "#lib/demo-project.ts";
import network from "./contents/network.html?raw";
import passes from "./contents/passes.jsx.txt?raw";
import report from "./contents/report.md?raw";
import winterHours1 from "./contents/winter-hours-1.md?raw";
import winterHours2 from "./contents/winter-hours-2.md?raw";
import winterHours3 from "./contents/winter-hours-3.md?raw";
import winterHours4 from "./contents/winter-hours-4.md?raw";

// The content of the demo project: four documents of an invented company, oldest version first. Each is a file, which
// this module reads only to publish it.
interface DemoDocument {
  readonly slug: string;
  readonly type: ArtifactType;
  readonly title: string;
  readonly description: string;
  readonly versions: readonly [Edition, ...Edition[]];
  /** The days for which a share link to it is valid; none without. */
  readonly sharedForDays?: number;
}

interface Edition {
  readonly content: string;
  readonly changelog: string;
}

const once = (content: string): [Edition] => [{ content, changelog: "Came with the demo project" }];

const demoDocuments: readonly DemoDocument[] = [
  {
    slug: "passes",
    type: "jsx",
    title: "Which pass is yours?",
    description: "A prototype in React with components, icons and state. Move the sliders.",
    versions: once(passes),
  },
  {
    slug: "network",
    type: "html",
    title: "The network on one day",
    description: "A dashboard in one HTML file that asks nobody else for anything.",
    versions: once(network),
  },
  {
    slug: "winter-hours",
    type: "md",
    title: "Winter hours for the van",
    description: "A proposal in four versions. Its history says who wanted what, and a link shows it for a week.",
    versions: [
      { content: winterHours1, changelog: "First draft, from Tuesday's notes" },
      { content: winterHours2, changelog: "Figures in place of adjectives" },
      { content: winterHours3, changelog: "One rule instead of three, after Mara's review" },
      { content: winterHours4, changelog: "Agreed, with how we will know that it works" },
    ],
    sharedForDays: 7,
  },
  {
    slug: "third-quarter",
    type: "md",
    title: "The third quarter",
    description: "A report in Markdown with a table, formulas, a diagram and code.",
    versions: once(report),
  },
];

const dayMs = 24 * 60 * 60 * 1000;

interface Place {
  /** The slug of the workspace. */
  readonly owner: string;
  /** Whether its plan has private artifacts: only people who are shown the demo can find it. */
  readonly hasPrivate: boolean;
}

/** @throws ProblemError where it can't be made whole */
export async function addDemo(client: Client, place: Place): Promise<void> {
  const made = await unlessTaken(client.call("project.create", { ...demoProject(), ownerUsername: place.owner }));
  if (made === null) await requireDemo(client, place.owner);
  // One after the other: a new instance compiles and draws each for the first time.
  for (const document of demoDocuments) await publish(client, place, document);
}

/** A machine that is busy with its first start may be too slow to compile or to draw a document in time. */
const tries = 3;
/** After so many ms no further step is begun: a person waits for their page. */
const timeoutMs = 15_000;

/** For the first person who opens the instance: a step that fails is undone, and does not stop them. */
export async function addDemoAtFirstRun(client: Client, owner: string, hasPrivate: boolean): Promise<void> {
  const until = Date.now() + timeoutMs;
  for (let left = tries; left > 0 && Date.now() < until; left--)
    if (await done("made", addDemo(client, { owner, hasPrivate }))) return;
  await done("taken back", takeBack(client, owner));
}

/** Whether it was; where it wasn't, the log says why. */
async function done(what: string, work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (cause) {
    const {
      requestId = null,
      code = "internal",
      detail = String(cause),
    } = cause instanceof ProblemError ? cause.problem : {};
    log.write("warn", { requestId, error: `The demo project was not ${what} (${code}): ${detail}` });
    return false;
  }
}

async function takeBack(client: Client, owner: string): Promise<void> {
  const { projectId, artifactIds } = await untouchedDemo(client, owner);
  for (const artifactId of artifactIds) await client.call("artifact.delete", { artifactId });
  await client.call("project.delete", { projectId });
}

/**
 * The demo project, and the identifiers of the documents in it that are as they came: a changed document
 * belongs to the person who changed it. @throws ProblemError; not found (404) where the project itself was changed
 */
export async function untouchedDemo(
  client: Client,
  owner: string,
): Promise<{ readonly projectId: string; readonly artifactIds: readonly string[] }> {
  const project = await client.call("project.getByPath", { owner, projectSlug: demoSlug });
  if (!isDemoProject(project)) error(404, "Not found", { code: "not_found" });
  const { artifacts } = await client.call("artifact.list", { owner, project: demoSlug, limit: pageLimit.max });
  const untouched = artifacts.filter((artifact) => isAsItCame(artifact));
  return { projectId: project.projectId, artifactIds: untouched.map(({ artifactId }) => artifactId) };
}

const isAsItCame = ({ slug, title, type, latestVersion }: Artifact): boolean =>
  demoDocuments.some(
    (document) =>
      document.slug === slug &&
      document.title === title &&
      document.type === type &&
      document.versions.length >= latestVersion,
  );

const slugs: ReadonlySet<string> = new Set(demoDocuments.map(({ slug }) => slug));

export const isDemoDocument = ({ projectSlug, slug }: Pick<Artifact, "projectSlug" | "slug">): boolean =>
  projectSlug === demoSlug && slugs.has(slug);

async function publish(client: Client, { owner, hasPrivate }: Place, document: DemoDocument): Promise<void> {
  const { versions, sharedForDays, ...described } = document;
  const place = { projectSlug: demoSlug, ownerUsername: owner };
  const access = { publicView: !hasPrivate, publicEdit: false };
  const made = await unlessTaken(client.call("artifact.create", { ...place, ...described, ...versions[0], access }));
  const there =
    made ?? (await client.call("artifact.getByPath", { owner, projectSlug: demoSlug, slug: document.slug }));
  // Artifacts that a person has changed stay as they are.
  if (!isAsItCame(there)) return;
  const { artifactId, latestVersion } = there;
  for (const [behind, edition] of versions.entries()) {
    if (behind < latestVersion) continue;
    await unlessTaken(client.call("version.create", { artifactId, ...edition, expectedLatestVersion: behind }));
  }
  if (sharedForDays !== undefined) await share(client, artifactId, sharedForDays);
}

async function share(client: Client, artifactId: string, days: number): Promise<void> {
  const { shareLinks } = await client.call("shareLink.list", { artifactId });
  if (shareLinks.length > 0) return;
  const expiresAt = new Date(Date.now() + days * dayMs).toISOString();
  await client.call("shareLink.create", { artifactId, role: "viewer", label: `For ${days} days`, expiresAt });
}

/** @throws ProblemError where the project of that name is a person's */
async function requireDemo(client: Client, owner: string): Promise<void> {
  const project = await client.call("project.getByPath", { owner, projectSlug: demoSlug });
  if (!isDemoProject(project)) await client.call("project.create", { ...demoProject(), ownerUsername: owner });
}

const taken: ReadonlySet<string> = new Set(["slug_conflict", "version_conflict"]);

/** Null where something has the slug already, or where the version is there. */
async function unlessTaken<Made>(making: Promise<Made>): Promise<Made | null> {
  try {
    return await making;
  } catch (cause) {
    if (cause instanceof ProblemError && taken.has(cause.problem.code)) return null;
    throw cause;
  }
}
