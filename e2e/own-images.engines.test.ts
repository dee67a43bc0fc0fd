// Images of the instance in a markdown document, as the engines that readers have load them: honest ones are shown, and a
// thousand searches are never sent.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";

import { eachEngine } from "./harness/engines/each-engine.ts";
import { startInstance, type Instance } from "./harness/instance.ts";
import { createArtifact, createPerson, createProject } from "./harness/people.ts";
import { hung, withoutScreenshots } from "./harness/process.ts";

setDefaultTimeout(2 * hung);

const searches = 1300;
/** Of each instance, those that the test itself sent. */
const sent = new Map<Instance, number>();
const metricsToken = "counts-requests";

/** How many searches reached the instance, answered or refused. */
async function searchesAt({ origin }: Instance): Promise<number> {
  const asked = await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
  const counts = (await asked.text()).matchAll(
    /^\w*requests_total\{route="\/api\/artifacts",method="GET",.*\} (\d+)$/gm,
  );
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

interface Published {
  readonly instance: Instance;
  readonly honest: string;
  readonly hostile: Readonly<Record<"md" | "html", string>>;
}

async function publish(contentApart: boolean): Promise<Published> {
  const instance = await startInstance({ contentApart, env: { ...withoutScreenshots, METRICS_TOKEN: metricsToken } });
  const person = await createPerson(instance);
  const { slug } = await createProject(person);
  const access = { publicView: true, publicEdit: false };
  const shown = await createArtifact(person, slug, { content: "# Shown\n", access });
  const { pathname } = new URL(shown.url);
  const content = [
    `![code](${shown.url}/qr.svg)`,
    `![the same by its path](${pathname}/qr.svg?v=1)`,
    `<img alt="screenshot" src="/api/artifacts/${shown.artifactId}/thumbnail?size=600">`,
    `![page](${pathname})`,
  ].join("\n\n");
  const honest = (await createArtifact(person, slug, { content, access })).url;
  const images = (write: (url: string) => string) =>
    Array.from({ length: searches }, (_, number) =>
      write(`${number % 2 === 0 ? "" : instance.origin}/api/artifacts?q=x${number}`),
    ).join("\n");
  const md = await createArtifact(person, slug, { content: `${images((url) => `![x](${url})`)}\n\nEnd\n`, access });
  const html = await createArtifact(person, slug, {
    type: "html",
    content: `<title>x</title>${images((url) => `<img src="${url}" srcset="${url} 2x">`)}<p>End</p>`,
    access,
  });
  return { instance, honest, hostile: { md: md.url, html: html.url } };
}

const places = ["at one origin", "with the content at another"] as const;
const published: Partial<Record<(typeof places)[number], Published>> = {};
beforeAll(async () => {
  for (const place of places) published[place] = await publish(place !== "at one origin");
});
afterAll(async () => {
  for (const one of Object.values(published)) await one.instance.stop();
});
function at(place: (typeof places)[number]): Published {
  const one = published[place];
  if (one === undefined) throw new Error(`nothing was published ${place}`);
  return one;
}

// One of them by the seed of the run; `TEST_SAMPLES=all bun run test e2e/own-images` has all.
eachEngine("own images", (engine, name) => {
  // puppeteer-core stops a frame of another host in Firefox until the page is left, also one without images.
  const shownAt = name === "Firefox" ? places.slice(0, 1) : places;
  test.each(shownAt)("%s, another artifact's code and screenshot are shown, and a page is its text", async (place) => {
    await engine().open(at(place).honest);
    const loaded = `[...document.images].filter((image) => image.complete && image.naturalWidth > 0)`;
    await engine().until("frame", `${loaded}.length === 3`);
    expect(await engine().evaluate("frame", `document.querySelector(".missing-image").innerText`)).toBe("page");
  });

  describe.each(shownAt)("%s", (place) => {
    test.each(["md", "html"] as const)("a thousand searches of %s are not sent, not one", async (type) => {
      const { instance, hostile } = at(place);
      await engine().open(hostile[type]);
      await engine().until("frame", `document.readyState === "complete" && document.body.innerText.includes("End")`);
      // One of the test's own shows that they are counted.
      expect(await engine().evaluate("page", `fetch("/api/artifacts?q=last").then(({ status }) => status)`)).toBe(200);
      const own = (sent.get(instance) ?? 0) + 1;
      sent.set(instance, own);
      expect(await searchesAt(instance)).toBe(own);
    });
  });
});
