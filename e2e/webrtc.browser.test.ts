// Frames that an html document creates have WebRTC, which the document's guard cannot remove: the browser must block
// them. The first and another one in each run; `TEST_SAMPLES=all bun run test e2e/webrtc` has all. The stress test
// `hostile` covers the document's own datagrams and connections.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import { webrtcAnswer } from "@plinth/support/webrtc-answer";

import { findChromium, openProfile } from "./harness/browser.ts";
import { startCollector, type Collector } from "./harness/collector.ts";
import { createArtifact } from "./harness/people.ts";
import { hung } from "./harness/process.ts";
import { testDesk } from "./harness/test-site.ts";
import { sampleWithFirst, testRandom } from "./harness/test-seed.ts";

setDefaultTimeout(3 * hung);

const desk = testDesk();
let collector: Collector;
beforeAll(async () => {
  [collector] = await Promise.all([startCollector(), findChromium()]);
});
afterAll(() => collector.stop());

/** Checks of whether a peer answers come by the dozen in the first second. */
const LISTENING_MS = 2_000;

/** Sends to any address, without asking a server for one. */
function sends(address: string): string {
  const { hostname, port } = new URL(`udp://${address}`);
  const sdp = webrtcAnswer(hostname, port);
  return `(async () => { const peer = window.kept = new RTCPeerConnection(); peer.createDataChannel("x");
    await peer.setLocalDescription(await peer.createOffer());
    await peer.setRemoteDescription({ type: "answer", sdp: ${JSON.stringify(sdp)} }); })();`;
}

const attribute = (text: string): string => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
const written = (script: string): string => `<iframe srcdoc="${attribute(`<script>${script}</script>`)}"></iframe>`;

const ways: Readonly<Record<string, (script: string) => string>> = {
  "the document itself": (script) => `<script>${script}</script>`,
  "a frame it writes": written,
  "a frame it writes, in a closed shadow root": (script) =>
    `<div><template shadowrootmode="closed">${written(script)}</template></div>`,
  "a frame whose address is a script": (script) =>
    `<iframe src="javascript:${attribute(encodeURIComponent(script))}"></iframe>`,
};

/** Datagrams received with a name while its page is shown; waits for one if one must come. */
async function connectionsTo(name: string, address: string, mustCome: boolean): Promise<number> {
  const received = () => collector.received.filter(({ of }) => of === name).length;
  // A separate browser for each, because a page that the browser kills can take other pages with it.
  const context = await openProfile();
  try {
    const page = await context.newPage();
    const crash = new Promise<void>((resolve) => page.once("crash", () => resolve()));
    await Promise.race([page.goto(address, { waitUntil: "load", timeout: hung }), crash]);
    if (!mustCome) await Bun.sleep(LISTENING_MS);
    for (const ended = Date.now() + hung; mustCome && received() === 0 && Date.now() < ended;) await Bun.sleep(100);
    return received();
  } finally {
    await context.close();
  }
}

for (const [way, document] of sampleWithFirst(Object.entries(ways), 2, testRandom("webrtc"))) {
  test(`${way} reaches no host by WebRTC, and does without the policy`, async () => {
    const source = (owner: string) =>
      `<!doctype html><title>Calls</title>${document(sends(collector.datagramsOf(owner)))}`;
    const { url } = await createArtifact(desk.owner, desk.projectSlug, { type: "html", content: source(way) });
    expect(await connectionsTo(way, url, false)).toBe(0);

    const free = `${way}, free`;
    const careless = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => new Response(source(free), { headers: { "content-type": "text/html" } }),
    });
    try {
      expect(await connectionsTo(free, careless.url.href, true)).toBeGreaterThan(0);
    } finally {
      await careless.stop(true);
    }
  });
}
