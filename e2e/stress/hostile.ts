// Documents and texts of an attacker, shown to a signed-in victim wherever the app shows them: they read nothing of the
// app, make no call with the victim's session, reach no server and navigate no page. The same payloads work on a
// careless site.
import type { BrowserContext, Page } from "playwright-core";

import { startCollector } from "../harness/collector.ts";
import { startInstance } from "../harness/instance.ts";
import { randomFrom } from "../harness/random.ts";
import { assert, inParallel, type StressTest } from "./stress-test.ts";
import { type Case, choose } from "./hostile-cases.ts";
import { hostileScreenshots, isDocument, takeScreenshots } from "./hostile-screenshots.ts";
import { places, type Place } from "./hostile-places.ts";
import { prove } from "./hostile-proof.ts";
import { setStage, type Published, type Stage } from "./hostile-publish.ts";
import { pagesWithTexts, readTexts, showTexts } from "./hostile-texts.ts";
import { openVictimsBrowser } from "./hostile-victim.ts";
import { faultsOfSayings, keptBy, setCanaries, watch, type Watched } from "./hostile-watch.ts";
import { payloads } from "./payloads/all.ts";
import type { Payload } from "./payloads/payload.ts";
import { canary } from "./payloads/strike.ts";

/** Parallel pages: an artifact's page keeps an event stream open, and a browser opens six connections to a host. */
const width = 4;
/** By this many ms after the last of its batch has loaded, a document has done everything it does by itself. */
const settleMs = 900;

/** Failed batches after which the run is given up. */
const mostWrong = 12;

interface Attack {
  readonly stage: Stage;
  readonly context: BrowserContext;
  readonly watched: Watched;
  readonly secrets: readonly string[];
}

export const hostile: StressTest = {
  claim: "a hostile document reads nothing of the app's, calls nothing, reaches nobody and moves no page",
  count: 10_000,
  shortCount: 16,

  run: ({ count, seed, only }) => attackWith(choose(count, randomFrom(seed), only)),
};

/** Tries the claim with these payloads. */
export async function attackWith(chosen: readonly Payload[]): Promise<Readonly<Record<string, unknown>>> {
  const [collector, instance] = await Promise.all([startCollector(), startInstance()]);
  const context = await openVictimsBrowser();
  try {
    const stage = await setStage(instance, collector, chosen);
    const watched = await watch(context, instance.origin, collector);
    const { username, userId } = stage.victim;
    const secrets = [canary.cookie.value, canary.storage.value, username, userId];
    const shown = await attack({ stage, context, watched, secrets }, (name) =>
      stage.published.some((one) => one.name === name && mayOpenPage(one)),
    );
    const control = await prove(collector, chosen);
    return { payloads: chosen.length, ...countsOf(stage), ...shown, ...control, ...(await screenshots(chosen)) };
  } finally {
    await Promise.all([context.close(), instance.stop(), collector.stop()]);
  }
}

/** Of all payloads in a full run, otherwise of a few, because each takes seconds. None if they are only texts. */
async function screenshots(chosen: readonly Payload[]): Promise<Readonly<Record<string, unknown>>> {
  const documents = chosen.filter(isDocument);
  if (documents.length === 0) return {};
  return takeScreenshots(
    chosen.length < payloads.length ? documents.slice(0, hostileScreenshots.shortCount) : documents,
  );
}

/** Pressed Markdown links open a new page, also in raw html with another target. */
const mayOpenPage = ({ type, payload }: Case): boolean =>
  payload.allows.includes("page") || (type === "md" && payload.pressed);

async function attack(
  { stage, context, watched, secrets }: Attack,
  allowsPage: (name: string) => boolean,
): Promise<Record<string, unknown>> {
  const { origin } = stage.instance;
  const [name = "", ...value] = stage.session.split("=");
  await context.addCookies([{ name, value: value.join("="), url: origin }]);
  const own: Page[] = await Promise.all(Array.from({ length: width }, () => context.newPage()));
  const home = await context.newPage();
  for (const page of [...own, home]) watched.own.add(page);
  await home.goto(`${origin}/settings/account`);
  await setCanaries(context, home, origin);
  const kept = await keptBy(context, home, origin);
  const possessions = await stage.possessions();
  const shown: Record<string, number> = {};
  const wrong: string[] = [];

  const settled = async (
    what: string,
    pages: readonly { page: Page; address: string }[],
    mayLeadTo: NonNullable<Place["mayLeadTo"]> = () => false,
  ) => {
    await Bun.sleep(settleMs);
    const faults = watched.faults(allowsPage);
    for (const { page, address } of pages) {
      const found = page.url();
      if (found !== address && !mayLeadTo(found, address)) faults.push(`${address} became ${found}`);
      faults.push(...(await faultsOfSayings(page, secrets)));
    }
    for (const page of context.pages()) if (!watched.own.has(page)) await page.close();
    const now = await keptBy(context, home, origin);
    if (JSON.stringify(now) !== JSON.stringify(kept)) faults.push(`the app keeps ${JSON.stringify(now)}`);
    if (faults.length > 0) wrong.push(`${what}:\n${faults.join("\n")}`);
    if (wrong.length >= mostWrong) throw new Error(wrong.join("\n\n"));
  };

  const documents = stage.published.filter(({ payload }) => payload.text === undefined);
  for (const place of places) {
    const rounds = roundsOf(place, documents);
    for (const round of rounds) {
      const pages = await Promise.all(
        round.map(async (batch, at) => {
          const page = own[at];
          if (page === undefined) throw new Error("more batches than pages");
          return { page, address: await place.show(page, batch, stage) };
        }),
      );
      await settled(
        `${place.name}: ${round
          .flat()
          .map((one) => one.name)
          .join(", ")}`,
        pages,
        place.mayLeadTo,
      );
    }
    shown[place.name] = documents.length;
    console.error(`${place.name}: ${documents.length} documents`);
  }

  const texts = stage.published.filter(({ payload }) => payload.text !== undefined);
  const addresses = texts.length === 0 ? [] : pagesWithTexts(stage, texts);
  let withText = 0;
  const free = [...own];
  await inParallel(addresses.length, width, async (index) => {
    const page = free.pop();
    if (page === undefined) throw new Error("more workers than pages");
    if (await showTexts(page, addresses[index] ?? "")) withText++;
    free.push(page);
  });
  await settled("titles, descriptions and notes", []);
  assert(texts.length === 0 || withText > texts.length, () => "the texts are shown nowhere");
  const answers = texts.length === 0 ? 0 : await readTexts(stage, texts);

  const left = await stage.possessions();
  assert(left === possessions, () => `the victim's things were ${possessions} and are ${left}`);
  assert(wrong.length === 0, () => wrong.join("\n\n"));
  return {
    places: shown,
    textPages: addresses.length,
    textPagesThatShow: withText,
    textAnswers: answers,
    frames: watched.frames(),
  };
}

/** Batches of documents for the parallel pages. */
function roundsOf(place: Place, documents: readonly Published[]): Published[][][] {
  const batches: Published[][] = [];
  for (let at = 0; at < documents.length; at += place.perPage) batches.push(documents.slice(at, at + place.perPage));
  return Array.from({ length: Math.ceil(batches.length / width) }, (_, round) =>
    batches.slice(round * width, (round + 1) * width),
  );
}

function countsOf({ published, refused }: Stage): Record<string, unknown> {
  const families = Object.groupBy(published, ({ payload }) => payload.family);
  return {
    published: published.length,
    refused: refused.length,
    families: Object.fromEntries(
      Object.entries(families).map(([name, ones = []]) => [
        name,
        new Set(ones.map(({ payload }) => payload.name)).size,
      ]),
    ),
  };
}
