// The pages and answers that show a stranger's title, description or version description to a signed-in victim.
import type { Page } from "playwright-core";

import { clientOf } from "../harness/people.ts";
import { send } from "../harness/http.ts";
import { assert } from "./stress-test.ts";
import type { Published, Stage } from "./hostile-publish.ts";

/** The app's pages that show the texts, of one artifact or of all. */
export function pagesWithTexts({ instance, attacker, project }: Stage, documents: readonly Published[]): string[] {
  const { origin } = instance;
  const parts = [
    "",
    "?v=1",
    "?chrome=0",
    "/settings",
    "/settings/access",
    "/settings/links",
    "/settings/views",
    "/settings/activity",
  ];
  const each = documents.flatMap(({ artifact }) => [
    ...parts.map((part) => artifact.url + part),
    // The placeholder of a screenshot contains the title.
    `${origin}/api/artifacts/${artifact.artifactId}/thumbnail`,
  ]);
  const shared = [
    "/",
    `/${attacker.username}`,
    `/${attacker.username}/${project.slug}`,
    "/settings/workspaces",
    `/settings/workspaces/${attacker.username}`,
    `/settings/workspaces/${attacker.username}/activity`,
    "/settings/deleted",
  ].map((path) => origin + path);
  return [...each, ...shared];
}

/** Shows the page and looks for elements created by a text. Returns whether it shows the texts at all. */
export async function showTexts(page: Page, address: string): Promise<boolean> {
  const answer = await page.goto(address, { waitUntil: "load" });
  assert((answer?.status() ?? 0) < 500, () => `${address} answered ${answer?.status()}`);
  const made = await page.evaluate<string[]>(
    `[...document.querySelectorAll("img, script, meta[http-equiv], svg image, style, iframe, link, [onfocus], [onerror]")].flatMap((at) => /\\/texts\\//.test(at.src ?? at.href?.baseVal ?? at.href ?? at.content ?? "") || at.hasAttribute("onfocus") || at.hasAttribute("onerror") ? [at.outerHTML.slice(0, 200)] : [])`,
  );
  assert(made.length === 0, () => `${address} made of a text ${made.join(" ")}`);
  return page.evaluate<boolean>(
    `/\\/texts\\//.test(document.body?.innerText ?? document.documentElement.textContent) || /\\/texts\\//.test(document.title)`,
  );
}

/** Reads the answers with the texts, which no browser can take for a page. Returns their number. */
export async function readTexts(stage: Stage, documents: readonly Published[]): Promise<number> {
  const { instance, session, attacker, project } = stage;
  const client = clientOf(instance.origin, session);
  let count = 0;
  const look = async (path: string, text?: string) => {
    const answer = await send(instance.origin + path, { token: session, headers: { accept: "text/html" } });
    const type = answer.headers.get("content-type") ?? "";
    assert(answer.status === 200, () => `${path} answered ${answer.status}`);
    assert(type.startsWith("application/json"), () => `${path} is ${type}`);
    assert(answer.headers.get("x-content-type-options") === "nosniff", () => `${path} may be taken for something else`);
    if (text !== undefined)
      assert(
        JSON.stringify(JSON.parse(answer.text)).includes(JSON.stringify(text).slice(1, -1)),
        () => `${path} does not hold its text as it was sent`,
      );
    count++;
  };
  for (const { artifact, source } of documents) {
    const { artifactId, slug } = artifact;
    await look(`/api/artifacts/${artifactId}`, source);
    await look(`/api/artifacts/${artifactId}/versions`, source);
    await look(`/api/by-path/${attacker.username}/${project.slug}/${slug}`, source);
    await look(`/api/audit-events?artifactId=${artifactId}`);
  }
  const query = documents[0]?.source.slice(0, 40) ?? "img";
  const found = await client.call("artifact.list", { q: query });
  assert(Array.isArray(found.artifacts), () => "search answers no list");
  return count + 1;
}
