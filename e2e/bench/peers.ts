// Plinth beside haste-server, which keeps texts in files and is not durable: publishing and reading 9 KB, alternately in
// one run. haste-server is a checkout with its packages installed (`npm install`), which the caller names.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { reservePort } from "@plinth/support/reserved-port";

import { makeAccount, newReport, publishReports } from "./account.ts";
import { document } from "./documents.ts";
import { contentPath } from "./figures.ts";
import { startInstance } from "../harness/instance.ts";
import { answers } from "../scale/shape.ts";
import { until } from "../harness/events.ts";
import { compare, load, ordinaryLoad, type Figure } from "./measure.ts";

interface Peers {
  /** The checkout of haste-server. */
  readonly haste: string;
  readonly rounds: number;
  readonly measureMs: number;
}

const warmUpMs = 300;
const bytes = 9 * 1024;
const texts = 500;
/** More than any machine publishes in a second. */
const mostPerSecond = 12_000;

/** Why haste-server cannot be measured; null where it can. */
export function explainMissing(haste: string | undefined): string | null {
  if (haste === undefined) return "peers: left out, because --haste names no checkout of haste-server";
  if (!existsSync(join(haste, "server.js"))) return `peers: left out, because ${haste} has no server.js`;
  if (!existsSync(join(haste, "node_modules"))) return `peers: left out, because ${haste} lacks its packages`;
  return Bun.which("node") === null ? "peers: left out, because node is not installed" : null;
}

/** Publishes at 1, 16 and 64 at once, then reads. */
export async function measurePeers(place: string, { haste, rounds, measureMs }: Peers): Promise<Figure[]> {
  const instance = await startInstance({ dataDir: join(place, "data") });
  const account = await makeAccount(instance);
  const peer = await startHaste(place, haste);
  const figures: Figure[] = [];
  try {
    let from = 0;
    const bodies = Array.from({ length: texts }, (_, n) => document(n).slice(0, bytes));
    const [shown] = await publishReports(instance, account, 1);
    for (const connections of [1, 16, 64]) {
      const atMost = Math.ceil((mostPerSecond * (warmUpMs + measureMs)) / 1000);
      const shared = { method: "POST", connections, warmUpMs, measureMs };
      const publish = () => {
        const batch = { from, atMost, body: newReport };
        from += atMost;
        const headers = { authorization: account.authorization };
        return load({
          ...shared,
          url: instance.origin,
          paths: ["/api/artifacts"],
          headers,
          publish: batch,
          status: 201,
        });
      };
      const paths = bodies.map(() => "/documents");
      const headers = { "content-type": "text/plain" };
      const toHaste = () => load({ ...shared, url: peer.origin, paths, bodies, headers, status: 200 });
      figures.push(
        await compare(`publish 9 KB, ${connections} at once`, rounds, { product: publish, baseline: toHaste }),
      );
    }
    const kept = await fetch(`${peer.origin}/documents`, { method: "POST", body: bodies[0] ?? "" });
    const { key } = (await kept.json()) as { key: string };
    for (const connections of [32, 128]) {
      const read = (url: string, path: string) => () =>
        ordinaryLoad({ url, paths: [path], status: 200, connections, warmUpMs, measureMs });
      figures.push(
        await compare(`raw read 9 KB, ${connections} connections`, rounds, {
          product: read(instance.origin, contentPath(shown?.artifactId ?? "")),
          baseline: read(peer.origin, `/raw/${key}`),
        }),
      );
    }
  } finally {
    await peer.stop();
    await instance.stop();
  }
  return figures;
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
  await until(() => {
    if (child.exitCode !== null) throw new Error(`haste-server ended (${child.exitCode})`);
    return answers(`${origin}/`);
  });
  return {
    origin,
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}
