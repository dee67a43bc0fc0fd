// The claim that every list shows exactly the artifacts that `decide` lets the caller read, in order, and that reading
// each of them agrees. Tested on random data.
import { expect } from "bun:test";
import { AppError } from "@plinth/contract/errors";
import type { OperationName } from "@plinth/contract/registry";
import { uuidOf } from "@plinth/db/columns";
import { connect, type Database } from "@plinth/db/connection";
import * as fc from "fast-check";

import type { Instance } from "../../context.ts";
import { invoke } from "../../request/invoke.ts";
import { answerOf } from "../../request/outcome.ts";
import type { Setup } from "../../test/context.ts";
import { callerRequest } from "../load-request.ts";
import { artifactPermissions, decideProject } from "../decide.ts";
import { makeSetup, setups, type ListSetup, type MadeSetup, type SetupCaller } from "./list-setups.ts";
import { createLoad } from "../load.ts";
import { roleIn, type Anonymous, type LinkHolder, type Person } from "../principal.ts";
import type { ArtifactRow } from "../resource.ts";

const anyone: Anonymous = { type: "anonymous", address: "192.0.2.1" };

class Undone extends Error {}

/** Expects a database without artifacts, and leaves it so. @throws where lists and `decide` differ; says the seed */
export async function listsAgree(setup: Setup, options: { count: number; seed: number }): Promise<void> {
  // One connection, so that each statement is planned a few times and not a few times on each of many.
  const one = connect({ url: setup.db.url, max: 1 });
  const property = fc.asyncProperty(setups, (wanted) =>
    undone(one, (db) => inSetup({ ...setup.instance, db, load: createLoad(db, setup.instance.cache) }, wanted)),
  );
  await fc.assert(property, { numRuns: options.count, seed: options.seed });
  await one.close();
}

/** Does something to the database that nothing stays of. */
async function undone(database: Database, work: (inside: Database) => Promise<void>): Promise<void> {
  const inTransaction = async (inside: Database) => {
    await work(inside);
    throw new Undone();
  };
  await database.transaction(inTransaction).catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error;
  });
}

async function inSetup(instance: Instance, wanted: ListSetup): Promise<void> {
  const made = await makeSetup(instance.db, wanted);
  for (const caller of made.callers) await agreesFor(instance, made, caller, wanted);
}

async function agreesFor(instance: Instance, made: MadeSetup, caller: SetupCaller, { limit, filter }: ListSetup) {
  const request = callerRequest(caller);
  const { person, grants } = await instance.load("nothing", request);
  expect(new Set(grants.map(({ shareLinkId }) => shareLinkId))).toEqual(new Set(caller.good));
  const principal = person ?? anyone;
  const holders = grants.map((link): LinkHolder => ({ type: "share_link", link, beside: principal }));
  const rows = await Promise.all(made.artifactIds.map((id) => rowOf(instance, id)));
  const may = (row: ArtifactRow) => [principal, ...holders].some((who) => artifactPermissions(who, row).has("read"));
  const readable = rows.filter(may);
  const ask = asking(instance, caller);
  const lists = (name: ListName, input: object, expected: readonly ArtifactRow[], order = newestFirst) =>
    listed(ask, name, { ...input, limit }).then((shown) => {
      expect([name, input, shown]).toEqual([name, input, order(expected)]);
    });

  await lists("artifact.list", {}, readable);
  await lists("artifact.list", { q: "of repo" }, readable);
  await lists("artifact.list", { q: "epor" }, readable);
  for (const { input, keeps } of filters(made).slice(filter, filter + 1)) {
    await lists("artifact.list", input, readable.filter(keeps));
    await lists("artifact.list", { ...input, q: "rep" }, readable.filter(keeps));
    if (!("owner" in input)) continue;
    for (const [sort, order] of [["updated", newestFirst] as const, ["title", byTitle] as const]) {
      await lists("artifact.list", { ...input, sort }, readable.filter(keeps), order);
      await lists("artifact.list", { ...input, sort, q: "rep" }, readable.filter(keeps), order);
    }
  }
  if (person !== null) await ownLists(lists, made, rows, person);
  await Promise.all(
    rows.map(async (row) => {
      const answer = await ask("artifact.get", { artifactId: row.artifactId });
      expect([row.artifactId, answer !== null]).toEqual([row.artifactId, may(row)]);
    }),
  );
  await projectsAgree(instance, ask, made, caller, principal, readable);
}

type ListName = "artifact.list" | "artifact.listMine" | "workspace.artifacts";
type Lists = (name: ListName, input: object, expected: readonly ArtifactRow[]) => Promise<void>;

async function ownLists(lists: Lists, { workspaces }: MadeSetup, rows: readonly ArtifactRow[], person: Person) {
  const own = rows.filter(({ workspaceId }) => roleIn(person, workspaceId) !== null);
  const kept = own.filter(({ deletedAt }) => deletedAt === null);
  await lists("artifact.listMine", {}, kept);
  for (const { workspaceId } of workspaces) {
    if (roleIn(person, workspaceId) === null) continue;
    await lists(
      "workspace.artifacts",
      { workspaceId },
      kept.filter((row) => row.workspaceId === workspaceId),
    );
  }
}

/** A project is visible to its workspace and to every reader of an artifact in it; it counts the visible artifacts. */
async function projectsAgree(
  instance: Instance,
  ask: Ask,
  { projects, workspaces }: MadeSetup,
  caller: SetupCaller,
  principal: Person | Anonymous,
  readable: readonly ArtifactRow[],
) {
  const agrees = async ({ projectId, workspaceId, slug }: MadeSetup["projects"][number]) => {
    const artifactCount = readable.filter((row) => row.projectId === projectId).length;
    const isSeen = roleIn(principal, workspaceId) !== null || artifactCount > 0;
    const { row: project } = await instance.load("project", {
      ...callerRequest(caller),
      project: uuidOf("prj", projectId),
    });
    expect(project !== null && decideProject(principal, "see", project) === "allow").toBe(isSeen);
    const owner = workspaces.find((place) => place.workspaceId === workspaceId)?.slug ?? "";
    const answer = await ask("project.getByPath", { owner, projectSlug: slug });
    expect(answer).toEqual(isSeen ? expect.objectContaining({ projectId, artifactCount }) : null);
  };
  await Promise.all(projects.map(agrees));
}

const filters = ({ workspaces, projects }: MadeSetup) => [
  { input: { visibility: "private" }, keeps: (row: ArtifactRow) => !row.publicView },
  { input: { owner: "place-1" }, keeps: (row: ArtifactRow) => row.workspaceId === workspaces[1]?.workspaceId },
  {
    input: { project: "p-1", type: "md" },
    keeps: (row: ArtifactRow) => row.type === "md" && row.projectSlug === "p-1",
  },
  {
    input: { owner: "place-0", project: "p-0", visibility: "public" },
    keeps: (row: ArtifactRow) => row.publicView && row.projectId === projects[0]?.projectId,
  },
];

async function rowOf(instance: Instance, artifactId: string): Promise<ArtifactRow> {
  const { row: artifact } = await instance.load("artifact", { artifact: uuidOf("art", artifactId) });
  if (artifact === null) throw new Error("the artifact was not found");
  return artifact;
}

type Ask = (name: OperationName, input: object) => Promise<unknown>;

/** What the caller is answered; null where it is hidden. */
const asking =
  (instance: Instance, { credential, share }: SetupCaller): Ask =>
  async (name, input) => {
    const meta = { surface: "api", requestId: "req-test", address: anyone.address } as const;
    const call = share === undefined ? { credential, ...meta } : { credential, share, ...meta };
    try {
      return answerOf(await invoke(instance, call, name, { input: { ...input }, errors: [] })).value;
    } catch (error) {
      // Where only a link was brought, and not for this, a private thing is hidden as unauthenticated.
      if (error instanceof AppError && (error.code === "not_found" || error.code === "unauthenticated")) return null;
      throw error;
    }
  };

/** All pages of a list. */
async function listed(ask: Ask, name: ListName, input: object): Promise<string[]> {
  const shown: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = (await ask(name, cursor === undefined ? input : { ...input, cursor })) as {
      artifacts: { artifactId: string }[];
      nextCursor: string | null;
    };
    shown.push(...page.artifacts.map(({ artifactId }) => artifactId));
    cursor = page.nextCursor;
  }
  return shown;
}

/** The key by which the test data orders artifacts by title. */
const titleKey = ({ slug }: ArtifactRow): string => new Bun.CryptoHasher("md5").update(slug).digest("hex");

const byTitle = (rows: readonly ArtifactRow[]): string[] =>
  rows.toSorted((a, b) => (titleKey(a) < titleKey(b) ? -1 : 1)).map(({ artifactId }) => artifactId);

const newestFirst = (rows: readonly ArtifactRow[]): string[] =>
  rows
    .map(({ artifactId }) => artifactId)
    .toSorted()
    .toReversed();
