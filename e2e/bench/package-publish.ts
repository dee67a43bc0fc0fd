// Publishing html that loads five kept packages, beside the same text without them: nothing waits for the registry.
import { startRegistry } from "@plinth/support/package-registry";

import { startInstance } from "../harness/instance.ts";
import { jobsDone, jobsLeftOut, makeAccount, newReport, send } from "./account.ts";
import { databaseUrlOf } from "../harness/embedded-database.ts";
import { compare, load, type Run } from "./measure.ts";

const packages = 5;
const connectionCounts = [1, 16] as const;
const warmUpMs = 300;
const mostPerSecond = 12_000;

/** @throws if a publish of the measurement makes the instance ask the registry */
export async function measurePackagePublishes({ report, rounds, measureMs, place }: Run): Promise<void> {
  const dataDir = place("packages");
  const registry = await startRegistry();
  for (let n = 0; n < packages; n++)
    await registry.publish(`package-${n}`, "1.0.0", { "index.js": `globalThis.package${n} = ${n};` });
  const instance = await startInstance({ dataDir, env: { PACKAGE_REGISTRY: registry.url } });
  try {
    const { authorization } = await makeAccount(instance);
    const html = { ...newReport, type: "html" };
    await send(instance, authorization, "/api/artifacts", { ...html, slug: "first", content: `${head(true)}first` });
    await jobsDone(instance);
    const asked = registry.asked.length;
    let published = 0;
    for (const connections of connectionCounts) {
      const atMost = Math.ceil((mostPerSecond * (warmUpMs + measureMs)) / 1000);
      const side = (before: string) => async () => {
        const result = await load({
          url: instance.origin,
          method: "POST",
          paths: ["/api/artifacts"],
          headers: { authorization },
          publish: { from: (published += atMost) - atMost, atMost, body: html, before },
          status: 201,
          connections,
          warmUpMs,
          measureMs,
        });
        await jobsLeftOut(instance, databaseUrlOf(dataDir));
        return result;
      };
      const name = `publish html with ${packages} kept packages, ${connections} at once`;
      // At most 1.3 times the publish without them.
      const figure = { name, baseline: "without packages", rounds, target: { ratio: 0.77 } };
      await compare(report, figure, { product: side(head(true)), baseline: side(head(false)) });
    }
    if (registry.asked.length !== asked) throw new Error(`the registry was asked: ${registry.asked.at(-1)}`);
  } finally {
    await instance.stop();
    await registry.close();
  }
}

/** Five scripts, or comments of the same length. */
function head(loads: boolean): string {
  const scripts = Array.from({ length: packages }, (_, n) => {
    const url = `https://unpkg.com/package-${n}@1.0.0/index.js`;
    return loads ? `<script src="${url}"></script>` : `<!--pt src="${url}"></cript-->`;
  });
  return `<!doctype html><title>Report</title>${scripts.join("\n")}`;
}
