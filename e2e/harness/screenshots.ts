// Waits for screenshots on a machine that may be busy. Knows the API, but not how they are taken.
import { send } from "./http.ts";
import { operatorOf, type Person } from "./people.ts";
import type { Instance } from "./instance.ts";

/** Versions that are tried: each is captured three times before it gets a placeholder. */
const versions = 4;
/** Looks between two runs of the scheduled job; with the pause, a key stays below its rate limit. */
const looksPerRun = 40;
const pauseMs = 250;

/**
 * Waits until an artifact has a screenshot, and publishes another version after three timeouts. @throws where the last
 * has none
 */
export async function untilCaptured(
  at: Pick<Instance, "origin" | "operatorToken">,
  { client, token }: Person,
  artifactId: string,
): Promise<void> {
  const state = async () =>
    (await send(`${at.origin}/api/artifacts/${artifactId}/thumbnail`, { token })).headers.get("x-thumbnail");
  for (let version = 1; ; version++) {
    // A capture that failed on a busy machine is retried after minutes, or at once by the scheduled job.
    for (let looks = 1; (await state()) === "pending"; looks++) {
      if (looks % looksPerRun === 0) await operatorOf(at).call("operator.runJob", { kind: "thumbnails" });
      await Bun.sleep(pauseMs);
    }
    if ((await state()) === "ready") return;
    if (version === versions) throw new Error(`no version of ${artifactId} was captured`);
    await client.call("version.create", { artifactId, content: `# Another version, ${version}\n` });
  }
}
