// Documents that crash the browser that shows them: the other documents are still shown, and crashes are distinguished
// from silent documents.
import { expect, setDefaultTimeout, test } from "bun:test";
import type { BrowserContext } from "playwright-core";

import type { Received } from "../harness/collector.ts";
import { hung } from "../harness/process.ts";
import { showToControl } from "./hostile-effects.ts";
import type { Case } from "./hostile-cases.ts";
import { openVictimsBrowser } from "./hostile-victim.ts";
import { page } from "./payloads/payload.ts";

setDefaultTimeout(4 * hung);

/** How often each crashes the browser, from the first time on. */
const ends = { once: 1, always: Infinity, never: 0 };

/** The driver misses some crashes, and no document takes long. */
const stuckMs = 6_000;

const cases = Object.keys(ends).map((what): Case => {
  const name = `html/ending/${what}`;
  const source = page(() => "");
  const payload = { name: `ending/${what}`, family: "ending", sources: { html: source }, pressed: false, allows: [] };
  return { name, payload, type: "html", source: "" };
});

test("a browser that ends under a document is replaced, and what ends each one is named", async () => {
  const received: Received[] = [];
  const left = new Map(Object.entries(ends).map(([what, times]) => [`html/ending/${what}`, times]));
  let browser: BrowserContext | undefined;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const of = new URL(request.url).pathname.slice(1);
      const times = left.get(of);
      if (times === undefined) return new Response(null, { status: 404 });
      left.set(of, times - 1);
      if (times > 0) await browser?.close();
      else received.push({ of, what: "a page", headers: {} });
      return new Response("");
    },
  });
  const origin = `http://127.0.0.1:${server.port}`;
  try {
    const control = { origin, addressOf: (name: string) => `${origin}/${name}` };
    const found = await showToControl(
      control,
      { received },
      cases,
      async () => (browser = await openVictimsBrowser()),
      stuckMs,
    );
    expect([...found.effective].toSorted()).toEqual(["html/ending/never", "html/ending/once"]);
    expect(found.fatal).toEqual(["html/ending/always"]);
    // One for each crash; the driver can report a crash as a browser that does not answer.
    expect(found.browsersEnded + found.browsersStuck).toBeGreaterThanOrEqual(4);
  } finally {
    await server.stop(true);
  }
});
