// The program that runs in a network of its own, where every packet is counted and everybody listens: tries all ways
// out by a browser that nothing holds, and by the painter with one wall alone, and prints what was heard.
import { chromium } from "playwright-core";

import { freeDocument, patience, testPainter } from "../testing.ts";
import { listenToAll } from "./listeners.ts";
import { packetsSent, raiseLoopback } from "./loopback.ts";
import { fileDocument, heardOfEach, HOST, leavingWays, METADATA, quietDocument } from "./ways.ts";

/** After the last of a document: what is sent in the background is sent by then. */
const AFTER_MS = 1_500;
/** For all of a document to be heard where nothing holds it; no measure of speed. */
const HEARD_MS = 60_000;

export interface Outcome {
  readonly heard: readonly string[];
  readonly packets: number;
  readonly files: readonly string[];
}

raiseLoopback([HOST, METADATA]);
const listeners = await listenToAll();
const documents = [quietDocument, ...Object.values(leavingWays)];

async function control(): Promise<Outcome> {
  const before = packetsSent();
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) =>
      new Response(documents[Number(new URL(request.url).pathname.slice(1))] ?? "", {
        headers: { "content-type": "text/html" },
      }),
  });
  // With a profile: a private window makes no connection ahead of need.
  const browser = await chromium.launchPersistentContext("", {
    executablePath: process.argv[2] ?? "",
    args: ["--no-sandbox"],
  });
  for (const index of documents.keys()) {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.port}/${index}`, { waitUntil: "commit" });
    const isHeard = () => heardOfEach[index]?.every((way) => listeners.heard.has(way));
    for (const ended = Date.now() + HEARD_MS; !isHeard() && Date.now() < ended;) await Bun.sleep(100);
    await page.close();
  }
  await browser.close();
  await server.stop(true);
  await Bun.sleep(AFTER_MS);
  return { heard: listeners.take(), packets: packetsSent() - before, files: [] };
}

async function painted(walls: "namespace" | "flags"): Promise<Outcome> {
  const before = packetsSent();
  // The document stays as long as that of the control does.
  const { painter, close } = await testPainter({ walls, limits: { ...patience, pageMs: 15_000, settleMs: 5_000 } });
  const files: string[] = [];
  for (const html of [...documents, fileDocument]) {
    const staying = "<script>setInterval(() => { document.body.dataset.now = Math.random(); }, 50)</script>";
    const { report } = await painter.paint({ ...freeDocument(html + staying), origin: "http://localhost:3000" });
    if (html === fileDocument) files.push(...report.console.map(({ text }) => text));
  }
  await Bun.sleep(AFTER_MS);
  await close();
  return { heard: listeners.take(), packets: packetsSent() - before, files };
}

console.log(
  JSON.stringify({ control: await control(), namespace: await painted("namespace"), flags: await painted("flags") }),
);
process.exit(0);
