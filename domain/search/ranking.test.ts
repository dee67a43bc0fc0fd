// The order of what a search finds, what it quotes of each result, and what it forgives.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { writeSearchDocuments } from "../jobs/search-document.ts";
import { createSetup, type Manner, type TestPerson, type Setup } from "../test/context.ts";

let setup: Setup;
let owner: TestPerson;
let project: string;
beforeAll(async () => {
  setup = await createSetup();
  owner = await setup.person();
  project = (await setup.project(owner.token)).slug;
});
afterAll(() => setup.close());

async function publish(title: string, more: Parameters<Setup["publish"]>[2] = {}): Promise<string> {
  const { artifactId } = await setup.publish(owner.token, project, { title, content: "nothing", ...more });
  await writeSearchDocuments(setup.db, [artifactId]);
  return artifactId;
}

const search = async (q: string, more: object = {}, manner: Manner = {}) =>
  (await setup.call("artifact.list", { q, ...more }, manner)).artifacts;
const titles = async (q: string, more: object = {}, manner: Manner = {}) =>
  (await search(q, more, manner)).map(({ title }) => title);

test("the exact title comes first, then titles, descriptions and texts, and of equals the last update", async () => {
  await publish("Week 43");
  await publish("Week 43 support tickets");
  await publish("Notes", { description: "What week 43 was about" });
  await publish("Older log", { content: "In week 43 it rained." });
  await publish("Newer log", { content: "In week 43 it rained." });
  await publish("Week 45", { content: "Compared with week 43 it is less." });
  await publish("Rollout checklist", { content: `Week 43. ${"Much else. ".repeat(200)}` });
  expect(await titles("week 43")).toEqual([
    "Week 43",
    "Week 43 support tickets",
    "Week 45",
    "Notes",
    "Newer log",
    "Older log",
    "Rollout checklist",
  ]);
  expect((await titles("week 43 support"))[0]).toBe("Week 43 support tickets");
  expect((await titles("WEEK-43"))[0]).toBe("Week 43");
  expect((await titles("week 43", { sort: "newest" }))[0]).toBe("Rollout checklist");
});

test("a score is 1 for the exact title, and falls from result to result", async () => {
  const scores = (await search("week 43")).map(({ score }) => score ?? Number.NaN);
  expect(scores[0]).toBe(1);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  expect(scores.at(-1)).toBeGreaterThan(0);
  expect((await search("week 43", { sort: "newest" }))[0]?.score).toBeUndefined();
  expect((await setup.call("artifact.list", {})).artifacts[0]).not.toHaveProperty("snippet");
});

test("pages follow each other in the order of the scores, and each result comes once", async () => {
  const whole = await titles("week 43");
  const paged: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await setup.call("artifact.list", { q: "week 43", limit: 2, ...(cursor && { cursor }) });
    paged.push(...page.artifacts.map(({ title }) => title));
    cursor = page.nextCursor;
  }
  expect(paged).toEqual(whole);
});

test("a typo in a word of a title is forgiven where nothing has the word, and never in a number", async () => {
  await publish("Checkout funnel");
  for (const q of ["checkout funel", "chekcout funnel", "checkout funnle", "checkoutt", "cheokout funnel"])
    expect([q, await titles(q)]).toEqual([q, ["Checkout funnel"]]);
  await publish("Plan 2027");
  expect(await titles("plan 2028")).toEqual([]);
  await publish("Log of mistakes", { content: "Somebody wrote checkout funel." });
  expect(await titles("checkout funel")).toEqual(["Checkout funnel", "Log of mistakes"]);
  expect(await titles('"checkout funel"')).toEqual(["Log of mistakes"]);
});

test("words in double quotes follow each other", async () => {
  await publish("Margins", { content: "The gross margin rose." });
  await publish("Gardens", { content: "A gross mistake in the left margin of the page." });
  expect((await titles("gross margin")).toSorted()).toEqual(["Gardens", "Margins"]);
  expect(await titles('"gross margin"')).toEqual(["Margins"]);
  expect(await titles('"gross margin" rose')).toEqual(["Margins"]);
  expect(await titles('"margin gross"')).toEqual([]);
});

test("Chinese, Japanese, Korean and Thai are found in titles and texts", async () => {
  await publish("季度收入报告", { slug: "zh" });
  await publish("週次レポート", { slug: "ja" });
  await publish("주간보고서를 위한 메모", { slug: "ko" });
  await publish("รายงานประจำสัปดาห์", { slug: "th" });
  await publish("Mixed", {
    content: "本周的季度收入报告已经发布。サポート窓口は月曜日。고객지원팀은 쉰다. เอกสารนี้สั้นมาก",
  });
  for (const [q, expected] of [
    ["收入", ["季度收入报告", "Mixed"]],
    ["季度收入报告", ["季度收入报告", "Mixed"]],
    ["レポート", ["週次レポート"]],
    ["보고서", ["주간보고서를 위한 메모"]],
    ["รายงาน", ["รายงานประจำสัปดาห์"]],
    ["窓口", ["Mixed"]],
    ["지원", ["Mixed"]],
    ["เอกสาร", ["Mixed"]],
    ['"收入报告"', ["季度收入报告", "Mixed"]],
  ] as const)
    expect([q, await titles(q)]).toEqual([q, [...expected]]);
});

test("a result quotes the text around the words, which are marked, and says where they are", async () => {
  await publish("Tide tables", {
    description: "For the harbour",
    content: `${"Filler words. ".repeat(50)}\n\n## Spring\n\nThe **harbour** closes at [low tide](https://example.org) each *Monday*. ${"More. ".repeat(99)}`,
  });
  const [found] = await search("harbour tide");
  expect(found?.matchedIn).toEqual(["title", "description", "text"]);
  const snippet = found?.snippet ?? [];
  expect(snippet.filter(({ isMatch }) => isMatch).map(({ text }) => text)).toEqual(["harbour", "tide"]);
  const whole = snippet.map(({ text }) => text).join("");
  expect(whole).toMatch(/^….*The harbour closes at low tide each \*?Monday.*…$/);
  expect(whole.length).toBeLessThan(260);
});

test("a quote has no markup of a document, and of a text without the words its beginning", async () => {
  await publish("Heron", {
    type: "html",
    content: `<style>b{}</style><h1>Birds</h1><p onclick="x()">A heron &amp; a <b>tern</b></p>`,
  });
  await publish("Bittern page", { content: "# A page\n\nOf something else." });
  expect((await search("heron"))[0]?.snippet?.map(({ text }) => text).join("")).toBe("Birds A heron & a tern");
  expect((await search("bittern"))[0]).toMatchObject({
    snippet: [{ text: "A page Of something else.", isMatch: false }],
    matchedIn: ["title"],
  });
});

test("nothing of a private text is quoted to others, and a search costs no more statements for it", async () => {
  await publish("Closed", { content: "The dodo is hidden.", access: { publicView: false, publicEdit: false } });
  const stranger = await setup.person();
  for (const q of ["dodo", "ddoo", "closed dodo", '"the dodo"']) {
    const before = setup.db.statements.total;
    expect(await search(q, {}, { as: stranger.token })).toEqual([]);
    const asked = setup.db.statements.total - before;
    await search("dodonone", {}, { as: stranger.token });
    expect(setup.db.statements.total - before - asked).toBe(asked);
  }
  expect((await search("dodo", {}, { as: owner.token }))[0]?.snippet).toEqual([
    { text: "The ", isMatch: false },
    { text: "dodo", isMatch: true },
    { text: " is hidden.", isMatch: false },
  ]);
});
