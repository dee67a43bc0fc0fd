// What an instance holds after the scenario, read by REST whatever the surface was: everything that Ada can see, and
// every event of every workspace.
import type { Client } from "@plinth/contract/client";
import type { AuditEvent } from "@plinth/contract/schemas/audit";
import type { Output } from "@plinth/contract/registry";

import type { Instance } from "../harness/instance.ts";
import { clientOf } from "../harness/people.ts";
import { hung } from "../harness/process.ts";
import type { Cast } from "./cast.ts";

const whole = { limit: 100 };
/** Words of the titles, of the head, of an old version alone, and of nothing. */
const searches = ["week", "counted", "herons five", "herons two", "otters", "nothing of the sort"] as const;

/** Everything, once the jobs have caught up. */
export async function stateOf({ origin }: Instance, { people }: Cast) {
  const ada = clientOf(origin, people.ada.key);
  await untilSearchable(ada);
  const { artifacts } = await ada.call("artifact.listMine", whole);
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

/** A browser loads the content of the page it opens, so how often a link was used is a matter of the surface. */
async function linksOf(ada: Client, artifactId: string) {
  return (await ada.call("shareLink.list", { artifactId, ...whole })).shareLinks;
}

/** What was published is found a moment later: when a job has run. */
async function untilSearchable(ada: Client): Promise<void> {
  for (let until = Date.now() + hung; Date.now() < until; await Bun.sleep(50)) {
    const found = await Promise.all(
      ["herons five counted", "otters draft"].map((q) => ada.call("artifact.list", { q })),
    );
    if (found.every(({ artifacts }) => artifacts.length === 1)) return;
  }
  throw new Error("what was published is never found");
}

/** Every event of the workspaces of the cast, in their order. */
export async function eventsOf({ origin }: Instance, { people }: Cast): Promise<AuditEvent[]> {
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
  const inOrder = all.toSorted((a, b) => (a.eventId < b.eventId ? -1 : 1));
  const byRequest = Map.groupBy(inOrder, ({ requestId }) => requestId);
  return [...byRequest.values()].flatMap((events) => events.toSorted((a, b) => subject(a).localeCompare(subject(b))));
}

/** Events of one request happen at once. */
const subject = ({ kind, target, after }: AuditEvent): string => `${kind} ${target.type} ${JSON.stringify(after)}`;
