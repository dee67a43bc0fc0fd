// How many statements each hot path takes, counted between an instance and its database.
import { jobsDone, newReport, projectSlug, send, username, type Account } from "./account.ts";
import { document } from "./documents.ts";
import type { Instance } from "../harness/instance.ts";
import { signIn } from "../harness/people.ts";
import { callTool } from "./mcp.ts";
import { median } from "./measure.ts";
import type { StatementCounter } from "./statement-counter.ts";

export type HotPath = "publish" | "update" | "content" | "notModified" | "byPath" | "key" | "session" | "page" | "mcp";

/** Repetitions while no job waits; the median leaves out the relay's occasional statements. */
const times = 21;

export async function countStatements(
  instance: Instance,
  { authorization, userId }: Account,
  counter: StatementCounter,
): Promise<Record<HotPath, number>> {
  const publish = (slug: string, number: number) =>
    send<{ artifactId: string }>(instance, authorization, "/api/artifacts", {
      ...newReport,
      slug,
      content: document(number),
    });
  const { artifactId } = await publish("counted", 0);
  const content = `/api/artifacts/${artifactId}/content`;
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(instance.origin + path, { headers });
    await answer.bytes();
    return answer;
  };

  async function count(take: (n: number) => Promise<unknown>): Promise<number> {
    const counts: number[] = [];
    for (let n = 0; n < times; n++) {
      await jobsDone(instance);
      const before = counter.count;
      await take(n);
      counts.push(counter.count - before);
    }
    return median(counts);
  }

  const update = await count((n) =>
    send(instance, authorization, `/api/artifacts/${artifactId}/versions`, { content: document(1000 + n) }),
  );
  const cookie = await signIn(instance, userId);
  const etag = (await get(content)).headers.get("etag") ?? "";
  return {
    publish: await count((n) => publish(`counted-${n}`, 2000 + n)),
    update,
    content: await count(() => get(content)),
    notModified: await count(() => get(content, { "if-none-match": etag })),
    byPath: await count(() => get(`/api/by-path/${username}/${projectSlug}/counted`)),
    key: await count(() => get(content, { authorization })),
    session: await count(() => get(content, { cookie })),
    mcp: await count(() => callTool(instance, authorization, "get_artifact_access", { artifactId })),
    page: await count(() => get(`/${username}/${projectSlug}/counted`)),
  };
}
