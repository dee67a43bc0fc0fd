// The artifact page in Chromium: reading and controls, messages of its frame, with and without script, and with content
// on a separate origin.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";

import { onceCompiled } from "@plinth/contract/test/refusals";
import { clientOf, createArtifact, createPerson, fresh, operatorOf, signIn } from "./harness/people.ts";
import { hung } from "./harness/process.ts";
import { openSite } from "./harness/site.ts";
import { sample, testRandom } from "./harness/test-seed.ts";
import { testSite, type PageOptions } from "./harness/test-site.ts";

setDefaultTimeout(3 * hung);

let listed: ReturnType<typeof Bun.serve>;
let unlisted: ReturnType<typeof Bun.serve>;

/** A place that documents load scripts from; what it was asked for. */
const cdn = (asked: string[]) =>
  Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      asked.push(new URL(request.url).pathname);
      return new Response("document.title = 'loaded'", { headers: { "content-type": "text/javascript" } });
    },
  });
const askedListed: string[] = [];
const askedUnlisted: string[] = [];

beforeAll(() => {
  listed = cdn(askedListed);
  unlisted = cdn(askedUnlisted);
});
afterAll(() => Promise.all([listed.stop(true), unlisted.stop(true)]));

// One of both, with script or without, and six of the documents of which the DOM is compared, by the seed of the run;
// `TEST_SAMPLES=all bun run test e2e/viewer` has all.
const origins = sample(["the app's own origin", "an origin of its own"], 1, testRandom("viewer"));

describe.each(origins)("content on %s", (where) => {
  const site = testSite(() =>
    openSite({
      contentApart: where === "an origin of its own",
      env: { HTML_CDN_ALLOWLIST: `http://127.0.0.1:${listed.port}` },
    }),
  );

  const publish = async (type: "md" | "html" | "jsx", content: string, fields: object = {}) => {
    const made = await createArtifact(site.owner, site.projectSlug, {
      type,
      content,
      title: fresh("Title"),
      ...fields,
    });
    return { ...made, path: new URL(made.url).pathname };
  };
  const open = (path: string, { session, ...options }: PageOptions & { session?: string } = {}): Promise<Page> =>
    site.open(path, session, options);
  const frameOf = (page: Page) => page.frameLocator("iframe");
  const panel = (page: Page) => page.locator("[data-part=notices]");

  test("the frame is of the content origin, and what it loads is immutable", async () => {
    const { path } = await publish("md", "# First\n\nText\n");
    const loaded: [string, string | null][] = [];
    const page = await open("/");
    page.on("response", (answer) => {
      if (answer.url().includes("/_runtime/")) loaded.push([answer.url(), answer.headers()["cache-control"] ?? null]);
    });
    await page.goto(path, { waitUntil: "networkidle" });
    const origin =
      where === "an origin of its own" ? site.instance.origin.replace("127.0.0.1", "localhost") : site.instance.origin;
    expect(await page.locator("iframe").getAttribute("src")).toStartWith(`${origin}/_content/p/`);
    expect(loaded.length).toBeGreaterThan(0);
    for (const [url, kept] of loaded) {
      expect(url).toStartWith(`${origin}/_runtime/`);
      expect(kept).toBe("public, max-age=31536000, immutable");
    }
  });

  test("the bar says who published the version that is shown: an agent, an API key or a person", async () => {
    const { path, artifactId } = await publish("md", "# First");
    const content = "# Second";
    await clientOf(site.instance.origin, site.session).call("version.create", { artifactId, content });
    const author = async (query: string) => {
      const page = await open(`${path}${query}`);
      return (await page.locator("[data-part=author]").innerText()).replaceAll(/\s+/g, " ");
    };
    expect(await author("")).toMatch(
      new RegExp(`^Published by ${site.owner.username} · v2 · (?:just now|\\d+ minutes? ago)$`),
    );
    expect(await author("?v=1")).toMatch(
      new RegExp(`^Published by API key key-\\S+, for ${site.owner.username} · v1 · `),
    );
  });

  describe.each(sample([true, false], 1, testRandom("viewer", "script")))("script %p", (javaScriptEnabled) => {
    test("a version and a view are chosen by the bar, and the source is there raw and to take along", async () => {
      const { path, artifactId, slug } = await publish("jsx", "export default () => <h1>One</h1>;\n");
      const second = { artifactId, content: "export default () => <h1>Two</h1>;\n" };
      await onceCompiled(() => site.owner.client.call("version.create", second));
      const page = await open(path, { javaScriptEnabled });
      await page.locator("[data-part=versions] summary").click();
      await page.getByRole("navigation", { name: "Versions" }).getByRole("link", { name: "v1" }).click();
      await page.getByText("You're viewing version 1. The latest is version 2.").waitFor();
      await page.getByRole("navigation", { name: "View" }).getByRole("link", { name: "Source" }).click();
      await frameOf(page).getByText("<h1>One</h1>").waitFor();
      const at = new URL(page.url());
      expect([at.pathname, at.search]).toEqual([path, "?v=1&view=source"]);
      expect(await page.locator("iframe").getAttribute("sandbox")).toBe("allow-scripts");

      await page.getByLabel("More").click();
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByText("Download").click()]);
      expect(download.suggestedFilename()).toStartWith(slug);
      expect(await Bun.file(await download.path()).text()).toBe("export default () => <h1>One</h1>;\n");
      await page.getByText("View raw").click();
      await page.getByText("export default () => <h1>One</h1>;").waitFor();
    });

    test("only an editor can restore an old version", async () => {
      const { path, artifactId } = await publish("md", "# First\n");
      await site.owner.client.call("version.create", { artifactId, content: "# Second\n" });
      const stranger = await open(`${path}?v=1`, { javaScriptEnabled });
      await frameOf(stranger).getByRole("heading", { name: "First" }).waitFor();
      expect(await stranger.getByRole("link", { name: "Restore this version" }).count()).toBe(0);

      const page = await open(`${path}?v=1`, { javaScriptEnabled, session: site.session });
      await page.getByRole("link", { name: "Restore this version" }).click();
      await page.getByRole("button", { name: "Restore as v3" }).click();
      await page.waitForURL(`**${path}?restored=1`);
      await frameOf(page).getByRole("heading", { name: "First" }).waitFor();
      expect((await site.owner.client.call("artifact.get", { artifactId })).latestVersion).toBe(3);
    });

    test("without the bar there is the document alone", async () => {
      const { path } = await publish("md", "# First\n");
      const page = await open(`${path}?chrome=0`, { javaScriptEnabled });
      await frameOf(page).getByRole("heading", { name: "First" }).waitFor();
      expect(await page.getByRole("banner").count()).toBe(0);
    });

    test("on a phone everything is still within reach", async () => {
      const { path } = await publish("md", "# First\n", { title: `A long title ${"and longer ".repeat(10)}` });
      const page = await open(path, {
        javaScriptEnabled,
        session: site.session,
        viewport: { width: 360, height: 700 },
      });
      const width = await page.locator("header").evaluate((header) => [header.scrollWidth, innerWidth]);
      expect(width).toEqual([360, 360]);
      await page.getByLabel("More").click();
      for (const name of ["View source", "View raw", "Download", "Share", "Settings"]) {
        expect(await page.getByRole("link", { name }).isVisible()).toBe(true);
      }
      for (const name of ["Copy source", "Print", "Toggle theme"]) {
        expect(await page.getByRole("button", { name }).isVisible()).toBe(javaScriptEnabled);
      }
      await page.getByRole("link", { name: "View source" }).click();
      await frameOf(page).getByText("# First").waitFor();
    });
  });

  test("the link and the source are copied", async () => {
    const { path, url, artifactId } = await publish("md", "# First\n\nünïcode ✓\n");
    await site.owner.client.call("version.create", { artifactId, content: "# Second\n" });
    const page = await open(`${path}?v=1`, { permissions: ["clipboard-write"] });
    // Pages may not read the clipboard, so it is pasted.
    const copied = async () => {
      await page.evaluate(() => document.body.append(document.createElement("textarea")));
      const field = page.locator("body > textarea");
      await field.focus();
      await page.keyboard.press("Control+v");
      const text = await field.inputValue();
      await field.evaluate((element) => element.remove());
      return text;
    };
    await page.getByRole("button", { name: "Copy link to version 1" }).click();
    await page.getByText("Copied", { exact: true }).waitFor({ state: "attached" });
    expect(await copied()).toBe(`${url}?v=1`);
    await page.getByLabel("More").click();
    await page.getByRole("button", { name: "Copy source" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    expect(await copied()).toBe("# First\n\nünïcode ✓\n");
  });

  test("a frame whose address ran out gets another one, and one that says so over and over gets it once", async () => {
    const { path } = await publish(
      "html",
      `<h1>First</h1><script>onclick = () => { for (let i = 0; i < 50; i++) parent.postMessage({ type: "plinth:expired" }, "*") }</script>`,
      {
        access: { publicView: false, publicEdit: false },
      },
    );
    const page = await open(path, { session: site.session });
    const first = await page.locator("iframe").getAttribute("src");
    let tickets = 0;
    page.on("request", (request) => void (tickets += request.url().includes("/ticket?") ? 1 : 0));
    await frameOf(page).getByRole("heading").click();
    await page.waitForFunction((src) => document.querySelector("iframe")?.getAttribute("src") !== src, first);
    await frameOf(page).getByRole("heading", { name: "First" }).waitFor();
    expect(tickets).toBe(1);
    expect(await page.evaluate(() => history.length)).toBe(2);
  });

  test("a document that loads itself again after its address ran out is shown with its query", async () => {
    const { path } = await publish(
      "html",
      `<h1>First</h1><p></p><script>document.querySelector("p").textContent = location.search; onclick = () => { location.search = "tab=2" }</script>`,
      { access: { publicView: false, publicEdit: false } },
    );
    const page = await open(path, { session: site.session });
    const first = (await page.locator("iframe").getAttribute("src")) ?? "";
    const expired = `<script>parent.postMessage({ type: "plinth:expired", query: location.search }, "*")</script>`;
    await page.route(`${first}?tab=2`, (route) =>
      route.fulfill({ status: 410, contentType: "text/html", headers: { "cache-control": "no-store" }, body: expired }),
    );
    await frameOf(page).getByRole("heading").click();
    await frameOf(page).getByText("?tab=2", { exact: true }).waitFor();
    const shown = new URL((await page.locator("iframe").getAttribute("src")) ?? "");
    expect([shown.search, shown.href.startsWith(first)]).toEqual(["?tab=2", false]);
    expect(new URL(page.url()).search).toBe("");
  });

  test("what was kept out is told, as text, and a list that is allowed is loaded", async () => {
    askedListed.length = 0;
    askedUnlisted.length = 0;
    const { path } = await publish(
      "html",
      `<!doctype html><script src="http://127.0.0.1:${listed.port}/chart.js"></script>
<script src="http://127.0.0.1:${unlisted.port}/other.js?secret=1"></script>
<img src="http://127.0.0.1:${unlisted.port}/<b>x</b>.png">
<script>fetch("http://127.0.0.1:${unlisted.port}/api").catch(() => {});
parent.postMessage({ type: "plinth:blocked", directive: "connect-src", address: "<img src=x onerror=document.title=1>" }, "*");
parent.postMessage({ type: "plinth:error", message: "<b>Broken</b>", component: "Chart", line: 3, column: 7 }, "*")</script>
<p></p><script>document.querySelector("p").textContent = document.title</script>`,
    );
    const page = await open(path);
    await frameOf(page).getByText("loaded").waitFor();
    await panel(page).getByText("1 error · 4 blocked").click();
    const said = await panel(page).innerText();
    for (const text of [
      "Scripts from other sites",
      "HTML_CDN_ALLOWLIST",
      `http://127.0.0.1:${unlisted.port}/other.js\n`,
      "Images from other sites",
      "Network requests",
      "<img src=x onerror=document.title=1>",
      "<b>Broken</b> (in Chart, line 3, column 7)",
    ]) {
      expect(said).toContain(text);
    }
    expect(said).not.toContain("secret");
    expect(await panel(page).locator("li *").count()).toBe(0);
    expect([askedListed, askedUnlisted]).toEqual([["/chart.js"], []]);
  });

  test.each([
    ["html", '<h1>Sketch</h1><img alt="A chart" src="/api/placeholder/40/30">'],
    [
      "jsx",
      'export default () => <><h1>Sketch</h1><img alt="A chart" src="/placeholder.svg?height=30&width=40" /></>;',
    ],
  ] as const)("an image that a model left out is drawn in %s, and not told as blocked", async (type, source) => {
    const { path } = await publish(type, source);
    const page = await open(path);
    const image = frameOf(page).locator('img[alt="A chart"][src^="data:image/svg+xml"]');
    await image.waitFor();
    expect(
      await image.evaluate((one: HTMLImageElement) => one.decode().then(() => [one.naturalWidth, one.naturalHeight])),
    ).toEqual([40, 30]);
    expect(await panel(page).isVisible()).toBe(false);
  });

  test("a document that reports endlessly fills twenty lines; messages of other windows do not count", async () => {
    const { path } = await publish(
      "html",
      `<h1>Loud</h1><iframe srcdoc="<script>parent.parent.postMessage({type:'plinth:error',message:'from inside'},'*')</script>"></iframe>
<script>for (let i = 0; i < 2000; i++) parent.postMessage({ type: "plinth:blocked", directive: "x".repeat(1e3), address: i + "y".repeat(1e3) }, "*")</script>`,
    );
    const page = await open(path);
    await page.evaluate(() => postMessage({ type: "plinth:error", message: "from the page" }));
    await panel(page).getByText("999 blocked").click();
    expect(await panel(page).locator("li").count()).toBe(20);
    expect(await panel(page).innerText()).not.toContain("from ");
    expect((await panel(page).innerText()).length).toBeLessThan(20 * 400);
  });

  test("a document that navigates its frame away leaves a word in place, and can be loaded again", async () => {
    const { path } = await publish(
      "html",
      `<h1>Restless</h1><script>onclick = () => { location = "http://127.0.0.1:${unlisted.port}/away" }</script>`,
    );
    const page = await open(path);
    askedUnlisted.length = 0;
    await frameOf(page).getByRole("heading").click();
    await page.getByText("We blocked this document from navigating to another page.").waitFor();
    await panel(page).getByText("1 blocked").waitFor();
    await page.getByRole("button", { name: "Reload document" }).click();
    await frameOf(page).getByRole("heading", { name: "Restless" }).waitFor();
    expect(await panel(page).isVisible()).toBe(false);
    expect(askedUnlisted).toEqual([]);
  });

  test("markdown prints whole, html and jsx print themselves", async () => {
    const lines = Array.from({ length: 400 }, (_, index) => `Paragraph ${index}\n`).join("\n");
    const { path } = await publish("md", `# Long\n\n${lines}\nThe very end\n`);
    const page = await open(path);
    await frameOf(page).getByText("The very end").waitFor();
    await page.evaluate(() => Object.assign(window, { print: () => document.body.setAttribute("data-printed", "") }));
    await page.keyboard.press("Control+p");
    await page.locator("body[data-printed]").waitFor();
    const height = await page.locator("iframe").evaluate((frame) => parseFloat(frame.style.height));
    const pdf = (await page.pdf({ format: "A4", preferCSSPageSize: true })).toString("latin1");
    const pages = pdf.match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;
    // A page of A4 between margins of 18 mm is 986 px high.
    expect(pages).toBe(Math.ceil(height / 986));
    expect(pages).toBeGreaterThan(5);
    expect(await page.locator("iframe").getAttribute("style")).toBe("");

    for (const [type, source] of [
      ["html", "<h1>Own</h1><script>print = () => { document.querySelector('h1').textContent = 'printed' }</script>"],
      ["jsx", "window.print = () => { document.body.textContent = 'printed' };\nexport default () => <h1>Own</h1>;"],
    ] as const) {
      const own = await publish(type, source);
      await page.goto(own.path);
      await frameOf(page).getByRole("heading", { name: "Own" }).waitFor();
      await page.getByLabel("More").click();
      await page.getByRole("button", { name: "Print" }).click();
      await frameOf(page).getByText("printed").waitFor();
    }
  });

  test("a link in the landing page's example is asked about, and only then the script that answers is loaded", async () => {
    const page = await open("/");
    const scripts: string[] = [];
    page.on("request", (request) => request.resourceType() === "script" && scripts.push(request.url()));
    await page.waitForLoadState("networkidle");
    scripts.length = 0;
    const link = `<a href="https://elsewhere.example/page">Out</a>`;
    await frameOf(page)
      .locator("body")
      .evaluate((body, html) => body.insertAdjacentHTML("afterbegin", html), link);
    await frameOf(page).getByText("Out").click();
    const card = page.getByRole("complementary", { name: "Request by this document" });
    await card.getByText("https://elsewhere.example/page").waitFor();
    expect(scripts).toHaveLength(1);
    await page.locator("[data-part=request-link][href]").waitFor();
    await card.getByRole("button", { name: "Cancel" }).click();
    await card.getByText("https://elsewhere.example/page").waitFor({ state: "hidden" });
  });

  test("a fragment of the page's address leads to that part of the document, and to that line of its source", async () => {
    const { path } = await publish("md", `# Top\n\n${"Text\n\n".repeat(80)}## Far below\n\nThe end\n`);
    const page = await open(`${path}#far-below`);
    const heading = frameOf(page).getByRole("heading", { name: "Far below" });
    const isInView = () => heading.evaluate((element) => element.getBoundingClientRect().top < innerHeight);
    await heading.waitFor();
    while (!(await isInView())) await page.waitForTimeout(50);
    const entries = await page.evaluate("history.length");
    await page.evaluate("location.replace('#top')");
    while (await isInView()) await page.waitForTimeout(50);
    expect(await page.evaluate("history.length")).toBe(entries);
    await page.goto(`${path}?view=source#L160`);
    const line = frameOf(page).locator("#L160");
    await line.waitFor();
    while (!(await line.evaluate((element) => element.matches(":target")))) await page.waitForTimeout(50);
  });

  test("the frame follows the theme of the page, and the choice is kept", async () => {
    const scheme = `<p></p><script>const q = matchMedia("(prefers-color-scheme: dark)"); const say = () => document.querySelector("p").textContent = q.matches ? "dark" : "light"; q.onchange = say; say()</script>`;
    const html = await publish("html", scheme);
    const md = await publish("md", "# First\n");
    const page = await open(html.path, { colorScheme: null });
    await frameOf(page).getByText("light").waitFor();
    await page.getByLabel("More").click();
    await page.getByRole("button", { name: "Toggle theme" }).click();
    await frameOf(page).getByText("dark").waitFor();
    await page.goto(md.path);
    await frameOf(page).getByRole("heading", { name: "First" }).waitFor();
    const ground = () =>
      frameOf(page)
        .locator("body")
        .evaluate((body) => getComputedStyle(body).backgroundColor);
    // Told by the page around it, once that lives.
    while ((await ground()) !== "rgb(19, 18, 16)") await page.waitForTimeout(50);
  });

  test("a feature of the device that a document asks for is refused, and named with the reason", async () => {
    const { path } = await publish(
      "html",
      `<!doctype html><h1>Asks</h1><script>
        navigator.clipboard.readText().catch((error) => { document.querySelector("h1").textContent = error.name; });
        for (const n of [1, 2]) navigator.geolocation?.getCurrentPosition(() => {}, () => {});</script>`,
    );
    const page = await open(path);
    await frameOf(page).getByText("NotAllowedError").waitFor();
    await panel(page).getByText("2 blocked").click();
    expect(await panel(page).innerText()).toMatch(
      /Features of the device\n+.*\.\n+reading the clipboard\n+geolocation/,
    );
  });

  test("what the sandbox can't store is kept in memory, and documents run unchanged", async () => {
    const check = `
const said = [];
const is = (name, got, wanted) => { if (JSON.stringify(got) !== JSON.stringify(wanted)) said.push(name + ": " + JSON.stringify(got)) };
for (const storage of [localStorage, sessionStorage]) {
  is("empty", [storage.length, storage.getItem("a"), storage.a, storage.key(0)], [0, null, undefined, null]);
  storage.setItem("a", 1); storage.b = { toString: () => "two" }; storage["c d"] = null;
  is("read", [storage.a, storage.getItem("b"), storage["c d"], storage.length, storage.key(1)], ["1", "two", "null", 3, "b"]);
  is("walked", [Object.keys(storage), { ...storage }, "a" in storage, "z" in storage, Object.entries(storage).length], [["a", "b", "c d"], { a: "1", b: "two", "c d": "null" }, true, false, 3]);
  delete storage.a; storage.removeItem("b"); storage.removeItem("nothing");
  is("taken away", [storage.length, JSON.stringify(storage), storage instanceof Storage], [1, '{"c d":"null"}', true]);
  let full = ""; try { storage.big = "x".repeat(6e6) } catch (error) { full = error.name }
  is("bounded", full, "QuotaExceededError");
  storage.clear(); is("cleared", storage.length, 0);
}
document.cookie = "a=1; path=/"; document.cookie = "b=2"; document.cookie = "a=; max-age=0";
is("cookie", document.cookie, "b=2");
Storage.prototype.setItem.call(localStorage, "getItem", "kept");
is("by the prototype", [Storage.prototype.getItem.call(localStorage, "getItem"), typeof localStorage.getItem, Object.keys(localStorage), String(localStorage)], ["kept", "function", [], "[object Storage]"]);
const { setItem } = Storage.prototype; const watched = [];
Storage.prototype.setItem = function (key, value) { watched.push(key); setItem.call(this, key, value); };
localStorage.setItem("watched", 1); Storage.prototype.setItem = setItem;
is("watched", [watched, localStorage.watched], [["watched"], "1"]);
const event = new StorageEvent("storage", { key: "a", newValue: "b", storageArea: localStorage });
is("event", [event.key, event.storageArea === localStorage, event instanceof Event, new StorageEvent("storage").storageArea], ["a", true, true, null]);
is("not there", ["serviceWorker" in navigator], [false]);
is("no trace", [document.scripts.length, document.head.childElementCount], COUNT);
document.body.append(said.join("; ") || "all well")`;
    const html = await publish("html", `<!doctype html><p>x<script>${check.replace("COUNT", "[1, 0]")}</script>`);
    const page = await open(html.path);
    await frameOf(page).getByText("all well").waitFor();
    const counted = check.replace("COUNT", "[document.scripts.length, document.head.childElementCount]");
    const jsx = await publish(
      "jsx",
      `export default () => { ${counted.replace("document.body.append(", "return <p>{").replace(/\)$/, "}</p>")} };`,
    );
    await page.goto(jsx.path);
    await frameOf(page).getByText("all well").waitFor();
  });

  test("the DOM of an html document is that of its source alone, however it begins", async () => {
    const rest = `<title>t</title></head>\n<body class="c"><p>x</p></body></html>\n`;
    const beginnings = [
      "",
      "text",
      "  \n<p>x",
      `\uFEFF<!doctype html><html lang="de"><head>${rest}`,
      `<!-- one --><!doctype html>\n<!-- two -->\n<html lang="de" class='a>b'>\n<!-- three -->\n<head data-x="</head>">\n${rest}`,
      `<html><head>${rest}`,
      `<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">\n<html>${rest}`,
      `<!doctype html><html><head><title>f</title></head><frameset cols="*"><frame></frameset></html>`,
      `<frameset cols="*"><frame></frameset>`,
      `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml">\n<head>${rest}`,
      `<!-- <!doctype html><head> --><p>quirks</p>`,
      `<p title="<!doctype html><html><head>">x</p>`,
      `<script>document.documentElement.dataset.s = "<!doctype html><head>"</script><p>x</p>`,
      "<!doctype html></div>\n<html lang=de></p><head data-x>y",
      "<!doctype html>\n\n<body data-x>\n<p>x",
      "<!-- never ends <p>x",
      "<html lang='never ends><p>x",
      "<!doctype html><html lang=a><html class=b><head id=h><head id=i><meta charset=latin1><p>ü",
    ];
    const domOf = `(() => {
  const of = (node) => [node.nodeName, node.nodeValue, [...(node.attributes ?? [])].map((a) => a.name + "=" + a.value), [...node.childNodes].map(of)];
  return JSON.stringify([document.compatMode, document.characterSet, of(document)]);
})()`;
    const bare = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request) =>
        new Response(beginnings[Number(new URL(request.url).pathname.slice(1))], {
          headers: { "content-type": "text/html; charset=utf-8" },
        }),
    });
    try {
      const page = await open("/");
      const alone = await open(`http://127.0.0.1:${bare.port}/0`);
      for (const [index, source] of sample([...beginnings.entries()], 6, testRandom("viewer", "beginnings"))) {
        if (source === "") continue; // an artifact is never empty
        const { path } = await publish("html", source);
        await page.goto(`${path}?chrome=0`);
        await alone.goto(`http://127.0.0.1:${bare.port}/${index}`);
        const framed = page.frames().find((frame) => frame.url().includes("/_content/"));
        expect([source, await framed?.evaluate(domOf)]).toEqual([source, await alone.evaluate(domOf)]);
      }
    } finally {
      await bare.stop(true);
    }
  });

  test("access that ends takes the page away, source view and all", async () => {
    const { path, artifactId, title } = await publish("md", "# First\n", {
      access: { publicView: false, publicEdit: false },
    });
    const reader = await createPerson(site.instance);
    const who = { workspaceId: site.owner.workspaceId, userId: reader.userId };
    await operatorOf(site.instance).call("operator.setMember", { ...who, role: "viewer" });
    const page = await open(`${path}?view=source`, { session: await signIn(site.instance, reader.userId) });
    await page.getByRole("img", { name: "Live" }).waitFor({ state: "visible" });
    await clientOf(site.instance.origin, site.session).call("member.remove", who);
    await page.getByRole("heading", { name: "You no longer have access to this page" }).waitFor();
    const left = await page.content();
    for (const word of [title, artifactId, "_content"]) expect(left).not.toContain(word);
  });
});
