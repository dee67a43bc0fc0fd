// The program that runs in a separate network, where every packet is counted and every target listens. It tries all
// egress probes in an unconfined browser, and in the renderer with only one of its two defences, and prints the probes
// that arrived.
import { chromium } from "playwright-core";

import type { PageLimits } from "../../limits.ts";
import { BEGAN, freeDocument, generousLimits, staying, stayMs, testRenderer } from "../renderer.ts";
import { listenToAll } from "./listeners.ts";
import { packetsSent, raiseLoopback } from "./loopback.ts";
import { fileDocument, expectedArrivals, HOST, navigatingProbes, METADATA, quietDocument } from "./probes.ts";

/** The wait after a document's last packet: background traffic has been sent by then. */
const AFTER_MS = 1_500;
/** For all probes of an unconfined document to arrive; not a measure of speed. */
const ARRIVAL_MS = 60_000;
/** Probes that this browser does not send, so that the control does not wait for them. */
const unsent = JSON.parse(process.argv[3] ?? "[]") as string[];
/** The navigating probes that are tried; each takes seconds. */
const navigating = JSON.parse(process.argv[4] ?? "[]") as string[];

export interface Outcome {
  readonly arrived: readonly string[];
  readonly packets: number;
  readonly files: readonly string[];
}

raiseLoopback([HOST, METADATA]);
const listeners = await listenToAll();
const documents = [quietDocument, ...navigating.map((probe) => navigatingProbes[probe] ?? "")];
const arrivals = expectedArrivals(navigating);
/** By document: milliseconds until all of its probes had arrived without confinement. */
const arrivedAfterMs: number[] = [];

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
  // With a profile: a private window makes no speculative connections.
  const browser = await chromium.launchPersistentContext("", {
    executablePath: process.argv[2] ?? "",
    args: ["--no-sandbox"],
  });
  // Opened beforehand, and closed with the browser: opening a page can hang while another page that navigates is
  // closed.
  const pages = await Promise.all(documents.map(() => browser.newPage()));
  for (const [index, page] of pages.entries()) {
    const began = performance.now();
    await page.goto(`http://127.0.0.1:${server.port}/${index}`, { waitUntil: "commit" });
    const awaited = arrivals[index]?.filter((probe) => !unsent.includes(probe)) ?? [];
    const haveArrived = () => awaited.every((probe) => listeners.arrived.has(probe));
    while (!haveArrived() && performance.now() - began < ARRIVAL_MS) await Bun.sleep(20);
    arrivedAfterMs.push(performance.now() - began);
  }
  await browser.close();
  await server.stop(true);
  await Bun.sleep(AFTER_MS);
  return { arrived: listeners.take(), packets: packetsSent() - before, files: [] };
}

async function captured(networkDenial: "namespace" | "flags"): Promise<Outcome> {
  const before = packetsSent();
  const limits: { -readonly [Name in keyof PageLimits]: number } = { ...generousLimits };
  const { renderer, close } = await testRenderer({ networkDenial, limits });
  const files: string[] = [];
  for (const [index, html] of [...documents, fileDocument].entries()) {
    const ms = stayMs(arrivedAfterMs[index]);
    let texts: string[];
    // A page that is navigating never finishes loading, so it takes all of its time. On a slow machine it may not have
    // begun.
    for (limits.pageMs = 2_000 + ms; ; limits.pageMs *= 2) {
      const document = freeDocument(staying(html, ms));
      const { report } = await renderer.capture({ ...document, origin: "http://localhost:3000" });
      texts = report.console.map(({ text }) => text);
      if (texts.includes(BEGAN)) break;
    }
    if (html === fileDocument) files.push(...texts.filter((text) => text !== BEGAN));
  }
  await Bun.sleep(AFTER_MS);
  await close();
  return { arrived: listeners.take(), packets: packetsSent() - before, files };
}

console.log(
  JSON.stringify({ control: await control(), namespace: await captured("namespace"), flags: await captured("flags") }),
);
process.exit(0);
