// Where a victim meets a document: the viewer page, its source view, the content route in a frame that only its headers
// confine, and the raw route as a page. Each place has URLs and the state in which a page must be afterwards.
import { errors, type Frame, type Page } from "playwright-core";

import { clientOf } from "../harness/people.ts";
import { assert } from "./stress-test.ts";
import type { Published, Stage } from "./hostile-publish.ts";
import { press } from "./hostile-press.ts";

export interface Place {
  readonly name: string;
  /** Documents on one page. */
  readonly perPage: number;
  /** Shows them on a page. Returns the page's URL, which must not change. */
  show(page: Page, documents: readonly Published[], stage: Stage): Promise<string>;
  /** Whether the page can also be there after it was at the URL. */
  readonly mayLeadTo?: (found: string, address: string) => boolean;
}

/** A page that takes longer to open is broken, in ms. */
const loadMs = 30_000;
/** How long to wait for its documents, in ms. */
const timeoutMs = 3_000;

const ticketOf = async ({ instance, session }: Stage, artifactId: string): Promise<string> =>
  (await clientOf(instance.origin, session).call("artifact.ticket", { artifactId })).url;

const contentAddress = async (stage: Stage, { artifact, isPublic }: Published): Promise<string> =>
  isPublic ? `${stage.instance.origin}/_content/p/${artifact.artifactId}/1` : ticketOf(stage, artifact.artifactId);

async function open(page: Page, name: string, address: string, expected: string): Promise<string> {
  await page.goto(address, { timeout: loadMs, waitUntil: "domcontentloaded" }).catch((cause: unknown) => {
    throw new Error(`${name} did not open at ${address}`, { cause });
  });
  await page.waitForLoadState("load", { timeout: timeoutMs }).catch((error: unknown) => {
    // A document can keep its own frame loading forever.
    if (!(error instanceof errors.TimeoutError)) throw error;
  });
  assert(page.url() === expected, () => `${address} led to ${page.url()} and not to ${expected}`);
  return expected;
}

/** Only in the document's frames, because the surrounding page has links too. */
async function pressed(page: Page, { payload }: Published): Promise<void> {
  if (payload.pressed) await press(page, page.frames().slice(1));
}

/** The frames that show one of the URLs, and their descendants. */
function framesOf(page: Page, addresses: readonly string[]): Frame[] {
  const isWithin = (frame: Frame | null): boolean =>
    frame !== null && (addresses.includes(frame.url()) || isWithin(frame.parentFrame()));
  return page.frames().filter(isWithin);
}

/** Opens a content URL as a page, which redirects to the viewer. */
const redirected = (name: string, suffix: string, query: string): Place => ({
  name,
  perPage: 1,
  async show(page, [document], stage) {
    if (document === undefined) throw new Error("there is nothing to show");
    const from = `${await contentAddress(stage, document)}${suffix}`;
    const address = await open(page, document.name, from, `${document.artifact.url}${query}`);
    await pressed(page, document);
    return address;
  },
});
const viewer = redirected("viewer page", "", "?v=1");
const sourceView = redirected("source view", "/source", "?v=1&view=source");

/** Frames without a sandbox attribute in a page of the app: only the response confines them. */
const framed = (name: string, suffix: string): Place => ({
  name,
  perPage: 8,
  async show(page, documents, stage) {
    const address = `${stage.instance.origin}/settings/account`;
    await open(page, name, address, address);
    const addresses = await Promise.all(documents.map(async (one) => (await contentAddress(stage, one)) + suffix));
    await page.evaluate(
      ([sources, firstTimeoutMs]) => {
        const loaded = sources.map((src) => {
          const frame = Object.assign(document.createElement("iframe"), { src, width: "400", height: "300" });
          const settled = new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
          document.body.prepend(frame);
          return settled;
        });
        return Promise.race([Promise.all(loaded), new Promise((resolve) => setTimeout(resolve, firstTimeoutMs))]);
      },
      [addresses, timeoutMs] as const,
    );
    const offering = addresses.filter((_, at) => documents[at]?.payload.pressed);
    await press(page, framesOf(page, offering));
    return address;
  },
});

const raw: Place = {
  name: "raw route",
  perPage: 1,
  async show(page, [document], { instance }) {
    if (document === undefined) throw new Error("there is nothing to show");
    const address = `${instance.origin}/api/artifacts/${document.artifact.artifactId}/content?version=1`;
    await open(page, document.name, address, address);
    // Its links cannot be located, so the corner of the page is pressed, which an element covers.
    if (document.payload.pressed) await page.mouse.click(20, 20);
    return address;
  },
  // It is a page itself, and its link navigates it; the browser requests nothing there.
  mayLeadTo: (found, address) => found === "chrome-error://chromewebdata/" || found.split("#")[0] === address,
};

export const places: readonly Place[] = [
  viewer,
  framed("content route, held by its headers alone", ""),
  framed("source route, held by its headers alone", "/source"),
  sourceView,
  raw,
];
