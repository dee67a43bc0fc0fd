// Plinth beside haste-server, which keeps texts in files and is not durable: publishing and reading 9 KB, alternately in
// one run, the same client and as many distinct texts for both. haste-server is a checkout with its packages installed (`npm
// install`), which the caller names.
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { reservePort } from "@plinth/support/reserved-port";

import { jobsLeftOut, makeAccount, newReport, publishReports } from "./account.ts";
import { databaseUrlOf } from "../harness/embedded-database.ts";
import { document } from "./documents.ts";
import { contentPath } from "./figures.ts";
import { startInstance } from "../harness/instance.ts";
import { answers } from "../scale/shape.ts";
import { until } from "../harness/events.ts";
import { compare, load, ordinaryLoad, type Run } from "./measure.ts";

const warmUpMs = 300;
const bytes = 9 * 1024;
/** More than any machine publishes in a second. */
const mostPerSecond = 24_000;

/** Why haste-server cannot be measured; null where it can. */
function explainMissing(haste: string | undefined): string | null {
  if (haste === undefined) return "peers: left out, because --haste names no checkout of haste-server";
  if (!existsSync(join(haste, "server.js"))) return `peers: left out, because ${haste} has no server.js`;
  if (!existsSync(join(haste, "node_modules"))) return `peers: left out, because ${haste} lacks its packages`;
  return Bun.which("node") === null ? "peers: left out, because node is not installed" : null;
}

/** Publishes at 1, 16 and 64 at once, then reads. `haste` is the checkout of haste-server. */
export async function measurePeers(
  { report, rounds, shortMs: measureMs, place: directoryOf }: Run,
  haste: string | undefined,
): Promise<void> {
  const missing = explainMissing(haste);
  if (missing !== null || haste === undefined) return console.error(missing);
  const place = directoryOf("peers");
  const dataDir = join(place, "data");
  const instance = await startInstance({ dataDir });
  const account = await makeAccount(instance);
  const peer = await startHaste(place, haste);
  try {
    let from = 0;
    const [shown] = await publishReports(instance, account, 1);
    for (const connections of [1, 16, 64]) {
      const atMost = Math.ceil((mostPerSecond * (warmUpMs + measureMs)) / 1000);
      const shared = { method: "POST", connections, warmUpMs, measureMs };
      const documents = () => ({ from: (from += atMost) - atMost, atMost, bytes });
      const product = async () => {
        const headers = { authorization: account.authorization };
        const publish = { ...documents(), body: newReport };
        const to = { url: instance.origin, paths: ["/api/artifacts"], headers, status: 201 };
        const result = await load({ ...shared, ...to, publish });
        await jobsLeftOut(instance, databaseUrlOf(dataDir));
        return result;
      };
      const baseline = async () => {
        const headers = { "content-type": "text/plain" };
        const publish = { ...documents(), body: null };
        const to = { url: peer.origin, paths: ["/documents"], headers, status: 200 };
        const result = await load({ ...shared, ...to, publish });
        peer.requireKept(result.sent);
        return result;
      };
      const target = connections === 64 ? { ratio: 1 } : undefined;
      const name = `publish 9 KB, ${connections} at once`;
      await compare(report, { name, baseline: "haste-server", rounds, target }, { product, baseline });
    }
    const kept = await fetch(`${peer.origin}/documents`, { method: "POST", body: document(0).slice(0, bytes) });
    const { key } = (await kept.json()) as { key: string };
    for (const connections of [32, 128]) {
      const read = (url: string, path: string) => () =>
        ordinaryLoad({ url, paths: [path], status: 200, connections, warmUpMs, measureMs });
      const name = `raw read 9 KB, ${connections} connections`;
      await compare(
        report,
        { name, baseline: "haste-server", rounds },
        {
          product: read(instance.origin, contentPath(shown?.artifactId ?? "")),
          baseline: read(peer.origin, `/raw/${key}`),
        },
      );
    }
  } finally {
    await peer.stop();
    await instance.stop();
  }
}

/** Keeps its texts in a folder of `place`. */
async function startHaste(place: string, haste: string) {
  const port = reservePort();
  const texts = join(place, "haste");
  mkdirSync(texts);
  const configuration = join(place, "haste.json");
  const settings = { host: "127.0.0.1", port, keyLength: 10, maxLength: 400_000, staticMaxAge: 86_400 };
  const storage = { type: "file", path: texts };
  writeFileSync(
    configuration,
    // Reads fail without `documents`, although it may be empty.
    JSON.stringify({
      ...settings,
      documents: {},
      recompressStaticAssets: false,
      keyGenerator: { type: "phonetic" },
      storage,
    }),
  );
  const child = Bun.spawn(["node", "server.js", configuration], {
    cwd: haste,
    env: { PATH: process.env["PATH"] ?? "", PORT: String(port), HOST: "127.0.0.1" },
    stdio: ["ignore", "ignore", "ignore"],
  });
  const origin = `http://127.0.0.1:${port}`;
  let kept = 0;
  await until(() => {
    if (child.exitCode !== null) throw new Error(`haste-server ended (${child.exitCode})`);
    return answers(`${origin}/`);
  });
  return {
    origin,
    /**
     * Expects that so many more texts are whole files, and has the system write them: Plinth's next turn must not wait for
     * their bytes. The files stay: after their deletion ext4 creates files at a tenth of the speed.
     */
    requireKept(count: number) {
      const whole = readdirSync(texts).filter((file) => statSync(join(texts, file)).size === bytes).length;
      if (whole !== kept + count) throw new Error(`haste-server kept ${whole - kept} of ${count} texts`);
      kept = whole;
      Bun.spawnSync(["sync"]);
    },
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}
