// No document sends a packet while its screenshot is taken, neither with the namespace alone nor with the flags alone.
// The listeners do receive packets from an unconfined browser.
import { createSocket } from "node:dgram";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "bun:test";

import { chromium } from "playwright-core";

import { sampleOfRun } from "@plinth/support/test-seed";
import { webrtcAnswer } from "@plinth/support/webrtc-answer";

import { findProcessSandbox } from "./process-sandbox.ts";
import { findBrowser } from "./find-browser.ts";
import { BEGAN, freeDocument, hung, staying, stayMs, testBrowser, testRenderer } from "./test/renderer.ts";
import { expectedArrivals, navigatingProbes } from "./test/egress-probes/probes.ts";
import type { Outcome } from "./test/egress-probes/run-probes.ts";

/** A headless shell never connects speculatively; `CHROMIUM_PATH` can name a full Chromium. */
const unsentByShells = ["preconnect", "name: dns-prefetch"];
const isShell = testBrowser === "package";
const unsent = isShell ? unsentByShells : [];
/** Two by the seed of the run; `TEST_SAMPLES=all bun run test worker/capture/egress-probes` tries all. */
const navigating = sampleOfRun(Object.keys(navigatingProbes), 2);

const PROGRAM = new URL("./test/egress-probes/run-probes.ts", import.meta.url).pathname;
let folder: string;
let path: string;
let environment: Readonly<Record<string, string>>;
let outcomes: Readonly<Record<"control" | "namespace" | "flags", Outcome>>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "plinth-egress-probes-"));
  writeFileSync(join(folder, "resolv.conf"), "nameserver 127.0.0.1\n");
  const found = await findBrowser(testBrowser, findProcessSandbox());
  if (found === null) throw new Error("there is no browser to test with");
  ({ path, environment } = await found.program());
  const user = process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"];
  const script = 'mount --bind "$1/resolv.conf" /etc/resolv.conf && shift && exec "$@"';
  const program = [process.execPath, PROGRAM, path, JSON.stringify(unsent), JSON.stringify(navigating)];
  const run = Bun.spawn(["unshare", ...user, "--net", "--mount", "/bin/sh", "-c", script, "sh", folder, ...program], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const text = await new Response(run.stdout).text();
  if ((await run.exited) !== 0) throw new Error("the program of the probes failed");
  outcomes = JSON.parse(text) as typeof outcomes;
}, 2 * hung);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the listeners receive every egress probe of an unconfined browser", () => {
  const all = expectedArrivals(navigating)
    .flat()
    .filter((probe) => !unsent.includes(probe));
  expect(all.length).toBeGreaterThanOrEqual(25);
  expect(all.filter((probe) => !outcomes.control.arrived.includes(probe))).toEqual([]);
  expect(outcomes.control.packets).toBeGreaterThan(100);
});

for (const denial of ["namespace", "flags"] as const) {
  test(`with the ${denial} alone: no packet is sent and no file is read`, () => {
    expect(outcomes[denial].arrived).toEqual([]);
    expect(outcomes[denial].packets).toBe(0);
    expect(outcomes[denial].files.length).toBeGreaterThan(0);
    expect(outcomes[denial].files.filter((text) => !/^(refused|framed )$/.test(text))).toEqual([]);
  });
}

/** For the unconfined browser; not a measure of speed. */
const ARRIVAL_MS = 60_000;

test(
  "WebRTC with the flags alone: no call is made, while an unconfined browser makes all",
  async () => {
    const host = Object.values(networkInterfaces())
      .flat()
      .find((one) => one?.family === "IPv4" && !one.internal)?.address;
    if (host === undefined) throw new Error("WebRTC omits the loopback, and this machine has no other address");
    const called = new Set<string>();
    const datagrams = async (name: string) => {
      const socket = createSocket("udp4", () => called.add(name));
      await new Promise<void>((resolve) => void socket.bind(0, host, resolve));
      return socket;
    };
    const [stun, peer] = [await datagrams("stun"), await datagrams("peer")];
    const turn = createServer((socket) => {
      called.add("turn");
      socket.on("error", () => socket.destroy());
    });
    await new Promise<void>((resolve) => void turn.listen(0, host, resolve));
    const ports = { stun: stun.address().port, peer: peer.address().port, turn: (turn.address() as AddressInfo).port };
    const html = callingDocument({ host, ...ports });
    try {
      const browser = await chromium.launch({
        executablePath: path,
        args: ["--no-sandbox"],
        env: { ...process.env, ...environment },
      });
      const page = await browser.newPage();
      const began = performance.now();
      await page.setContent(html);
      while (called.size < 3 && performance.now() - began < ARRIVAL_MS) await Bun.sleep(20);
      const calledAfterMs = performance.now() - began;
      await browser.close();
      expect([...called].sort()).toEqual(["peer", "stun", "turn"]);

      called.clear();
      const flags = await testRenderer({ networkDenial: "flags" });
      const { report } = await flags.renderer.capture(freeDocument(staying(html, stayMs(calledAfterMs))));
      expect(report.console.map(({ text }) => text)).toContain(BEGAN);
      await flags.close();
      expect([...called]).toEqual([]);
    } finally {
      stun.close();
      peer.close();
      turn.close();
    }
  },
  hung,
);

/** The targets of WebRTC, by ports of one address. It is not loopback, which WebRTC omits. */
interface Callees {
  readonly host: string;
  /** Datagrams. */
  readonly stun: number;
  readonly peer: number;
  /** A connection. */
  readonly turn: number;
}

/** Calls through a server, and to an address that the document chooses. */
function callingDocument({ host, stun, peer, turn }: Callees): string {
  const answer = webrtcAnswer(host, peer);
  const servers = [
    { urls: `stun:${host}:${stun}` },
    { urls: `turn:${host}:${turn}?transport=tcp`, username: "a", credential: "b" },
  ];
  return `<!doctype html><body><script>
    async function call(servers, sdp) {
      const peer = new RTCPeerConnection({ iceServers: servers });
      (window.peers ??= []).push(peer);
      peer.createDataChannel("x");
      await peer.setLocalDescription(await peer.createOffer());
      if (sdp) await peer.setRemoteDescription({ type: "answer", sdp });
    }
    call(${JSON.stringify(servers)}); call([], ${JSON.stringify(answer)});
  </script>`;
}
