// A document that loads itself again is shown again in its place, with its query, and the page around it stays: the same
// cases for each browser engine that readers have. The first and others by the seed of the run, an eighth for each engine;
// `TEST_SAMPLES=all bun run test e2e/self-navigation/` has all.
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";

import { embedUrl } from "@plinth/contract/embed";

import type { Engine } from "../harness/engines/engine.ts";
import { createArtifact } from "../harness/people.ts";
import { hung } from "../harness/process.ts";
import { sampleWithFirst, testRandom } from "../harness/test-seed.ts";
import { testDesk } from "../harness/test-site.ts";
import { documentOf, ways, type Way } from "./ways.ts";

const places = ["the artifact's page", "the page of a private artifact", "a page of another site"] as const;
type Place = (typeof places)[number];
type Type = keyof typeof documentOf;

const left = (part: string) => `document.querySelector("[data-part=${part}]").checkVisibility()`;
const isShown = `window.ready === true && document.querySelector("h1").textContent === "Itself"`;

/** The tests of one engine, which is opened for them. */
export function testSelfNavigation(name: string, openEngine: () => Promise<Engine>): void {
  setDefaultTimeout(hung);
  describe(name, () => {
    const desk = testDesk();
    let engine: Engine;
    beforeAll(async () => {
      engine = await openEngine();
      console.log(`${engine.name} ${engine.version}`);
    });
    afterAll(() => engine?.close());
    afterEach(() => engine.closeOthers());

    async function open(place: Place, type: Type, content: string): Promise<string> {
      const isPrivate = place === "the page of a private artifact";
      const access = { publicView: !isPrivate, publicEdit: false };
      const { artifactId, url } = await createArtifact(desk.owner, desk.projectSlug, { type, content, access });
      const address = place === "a page of another site" ? embedUrl(url) : url;
      if (isPrivate) {
        const { url: link = "" } = await desk.owner.client.call("shareLink.create", { artifactId, role: "viewer" });
        await engine.open(link);
      } else {
        // Firefox's driver waits without end for a sandboxed page that follows one of another browsing context group.
        await engine.open("about:blank");
        await engine.open(address);
      }
      await engine.until("frame", isShown);
      return address;
    }

    /** Marks the document that is there; another has no mark. */
    const mark = () => engine.evaluate("frame", "void (window.isFirst = true)");
    const isAnother = `window.isFirst === undefined && ${isShown}`;

    async function showsItselfAgain(place: Place, type: Type, way: Way): Promise<void> {
      const address = await open(place, type, documentOf[type](way));
      // Twice, since the second is a document that was loaded by the first.
      for (const time of [1, 2]) {
        await mark();
        await engine.press("frame", "#go", way.press);
        await engine.until("frame", isAnother);
        expect([time, await engine.evaluate("frame", "location.search")]).toEqual([time, way.query]);
      }
      expect(await engine.evaluate("page", "location.href")).toBe(address);
      expect(await engine.tabs()).toBe(1);
      if (place !== "a page of another site") expect(await engine.evaluate("page", left("left"))).toBe(false);
    }

    const cases = Object.entries(ways).flatMap(([what, way]) =>
      (["html", "jsx"] as const).flatMap((type) =>
        places.map((place) => [`${place}, ${type}: ${what}`, () => showsItselfAgain(place, type, way)] as const),
      ),
    );
    for (const [what, run] of sampleWithFirst(cases, Math.ceil(cases.length / 8), testRandom("self-navigation", name)))
      test(what, run);

    const press = (way: Omit<Way, "query">) => documentOf.html({ ...way, query: "" });

    async function isLostAndShownAgain(way: Omit<Way, "query">): Promise<void> {
      await open("the artifact's page", "html", press(way));
      await engine.press("frame", "#go");
      await engine.until("page", left("left-lost"));
      expect(await engine.evaluate("page", left("left-blocked"))).toBe(false);
      await engine.press("page", "[data-part=left] button");
      await engine.until("frame", isShown);
      expect(await engine.evaluate("page", left("left"))).toBe(false);
    }

    test("a document that the server does not send again: the page says so, and shows it at the reader's press", () =>
      isLostAndShownAgain({ script: `location.search = "x".repeat(100_000)` }));

    // Other engines have no Connection-Allowlist: there the page's policy allows every document of the instance.
    const isConfined = name === "Chromium";
    test.each(isConfined ? ["/source", "0", "/../2", "/files/index.html", "/../../../welcome/1"] : [])(
      "%s beyond its own address is not reached, and the page says so",
      (path) => isLostAndShownAgain({ script: `location.href = location.pathname + ${JSON.stringify(path)}` }),
    );

    test("a form of POST to itself leaves the document where it is, and the page says what was blocked", async () => {
      const form = `<form method="post"><input name="tab" value="2"><button id="go">Go</button></form>`;
      await open("the artifact's page", "html", press({ markup: form }));
      await mark();
      await engine.press("frame", "#go");
      await engine.until("page", `document.querySelector("[data-part=notice-count]").textContent === "1 blocked"`);
      expect(await engine.evaluate("frame", "[window.isFirst, location.search]")).toEqual([true, ""]);
    });

    test("a link with a target to a place in the document leads there, without loading it again", async () => {
      await open("the artifact's page", "html", press({ markup: `<a id="go" href="#end" target="_blank">Go</a>` }));
      await mark();
      await engine.press("frame", "#go");
      await engine.until("frame", `location.hash === "#end"`);
      expect(await engine.evaluate("frame", "window.isFirst")).toBe(true);
      expect(await engine.tabs()).toBe(1);
    });
  });
}
