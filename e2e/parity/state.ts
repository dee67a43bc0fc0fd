// The state of an instance after the scenario, read by REST for every surface: everything that Ada can see, and every
// event of every workspace.
import type { Client } from "@plinth/contract/client";
import type { AuditEvent } from "@plinth/contract/schemas/audit";
import type { Output } from "@plinth/contract/registry";

import type { Instance } from "../harness/instance.ts";
import { clientOf } from "../harness/people.ts";
import { eventually } from "../harness/process.ts";
import type { Participants } from "./participants.ts";

const whole = { limit: 100 };
/** Words of the titles, of the head, of an old version alone, and of nothing. */
const searches = ["week", "counted", "herons five", "herons two", "otters", "nothing of the sort"] as const;

/** Everything, after delayed writes are done: search documents, and the uses of links. */
export async function stateOf({ origin }: Instance, { people }: Participants) {
  const ada = clientOf(origin, people.ada.key);
  const { artifacts } = await ada.call("artifact.listMine", whole);
  await until("what was published is found", () => isSearchable(ada));
  await until("the uses of links are counted", () => areUsesCounted(ada, artifacts));
  const searched = searches.map(async (q) => {
    const found = await ada.call("artifact.list", { ...whole, q });
    return { q, found: found.artifacts.map(({ slug }) => slug) };
  });
  return {
    projects: (await ada.call("project.listMine", whole)).projects,
    artifacts: await Promise.all(artifacts.map((artifact) => wholeArtifact(ada, artifact))),
    deleted: (await ada.call("artifact.listMine", { ...whole, deleted: true })).artifacts,
    listed: (await ada.call("artifact.list", whole)).artifacts,
    publicly: (await clientOf(origin).call("artifact.list", whole)).artifacts,
    seenByBob: (await clientOf(origin, people.bob.key).call("artifact.list", whole)).artifacts,
    searched: await Promise.all(searched),
  };
}

async function wholeArtifact(ada: Client, artifact: Output<"artifact.get">) {
  const { artifactId } = artifact;
  return {
    artifact,
    access: await ada.call("access.get", { artifactId }),
    versions: (await ada.call("version.list", { artifactId, ...whole })).versions,
    content: await (await ada.send("version.content", { artifactId })).text(),
    shareLinks: (await linksOf(ada, artifactId)).map(({ useCount, ...link }) => ({ ...link, used: useCount > 0 })),
  };
}

/** A browser loads the content of the page it opens, so the number of a link's uses depends on the surface. */
async function linksOf(ada: Client, artifactId: string) {
  return (await ada.call("shareLink.list", { artifactId, ...whole })).shareLinks;
}

const until = (what: string, holds: () => Promise<boolean>) => eventually(holds, () => `never seen: ${what}`);

async function isSearchable(ada: Client): Promise<boolean> {
  const found = await Promise.all(["herons five counted", "otters draft"].map((q) => ada.call("artifact.list", { q })));
  return found.every(({ artifacts }) => artifacts.length === 1);
}

/** The scenario reads content by every link. */
async function areUsesCounted(ada: Client, artifacts: Output<"artifact.listMine">["artifacts"]): Promise<boolean> {
  const links = (await Promise.all(artifacts.map(({ artifactId }) => linksOf(ada, artifactId)))).flat();
  return links.length > 0 && links.every(({ useCount }) => useCount > 0);
}

export interface Recorded {
  /** People's actions, in order. */
  readonly events: readonly AuditEvent[];
  /** Which links were used; uses are recorded in batches, and later. */
  readonly uses: readonly Pick<AuditEvent, "actor" | "surface" | "target">[];
}

/** Every event of the participants' workspaces. */
export async function recordedOf({ origin }: Instance, { people }: Participants): Promise<Recorded> {
  const all: AuditEvent[] = [];
  for (const { key, workspaceId } of Object.values(people)) {
    const client = clientOf(origin, key);
    for (let cursor: string | undefined; ;) {
      const page = { workspaceId, ...whole, ...(cursor !== undefined && { cursor }) };
      const { auditEvents, nextCursor } = await client.call("audit.listInWorkspace", page);
      all.push(...auditEvents);
      if (nextCursor === null) break;
      cursor = nextCursor;
    }
  }
  const used = all.filter(({ kind }) => kind === "share_link.used");
  const uses = new Map(
    used.map(({ actor, surface, target }) => [`${target.id} ${surface}`, { actor, surface, target }]),
  );
  return { events: inOrder(all.filter(({ kind }) => kind !== "share_link.used")), uses: sorted(uses) };
}

/** Events of one request have the same time, and are sorted by subject. */
function inOrder(events: readonly AuditEvent[]): AuditEvent[] {
  const subject = ({ kind, target, after }: AuditEvent) => `${kind} ${target.type} ${JSON.stringify(after)}`;
  const byTime = events.toSorted((a, b) => (a.eventId < b.eventId ? -1 : 1));
  const byRequest = Map.groupBy(byTime, ({ requestId }) => requestId);
  return [...byRequest.values()].flatMap((once) => once.toSorted((a, b) => (subject(a) < subject(b) ? -1 : 1)));
}

const sorted = <Value>(map: ReadonlyMap<string, Value>): Value[] =>
  [...map].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
