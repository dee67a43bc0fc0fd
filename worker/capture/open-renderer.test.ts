// The renderer with ordinary documents, and its browser: started by the first document, shared, ended, and never left
// behind. With a real Chromium; without one the tests fail.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { readRuntime } from "@plinth/runtime/manifest";

import { openRenderer } from "./open-renderer.ts";
import { killAll, runningOf } from "./processes.ts";
import {
  freeDocument,
  hung,
  browserProcesses,
  generousLimits,
  renderers,
  temporaryFolders,
  testRenderer,
  until,
  type TestRenderer,
} from "./test/renderer.ts";
import { isWebp } from "./webp.ts";

let opened: TestRenderer;
beforeAll(async () => {
  opened = await testRenderer();
}, hung);
afterAll(() => opened.close(), hung);

const capture = (html: string) => opened.renderer.capture(freeDocument(html));

test(
  "both screenshots are WebP of their sizes, and the same document gives the same bytes",
  async () => {
    const first = await capture("<h1>Hello</h1>");
    expect(isWebp(first.large, { width: 1200, height: 750 })).toBe(true);
    expect(isWebp(first.small, { width: 600, height: 375 })).toBe(true);
    expect(await capture("<h1>Hello</h1>")).toEqual(first);
    expect(await capture("<h1>Other</h1>")).not.toEqual(first);
    expect(first.report).toEqual({ errors: [], console: [] });
  },
  hung,
);

test("the version combines the renderer's version with the browser's major version", () => {
  const [, major] = / (\d+) /.exec(opened.browser ?? "") ?? [];
  expect(opened.browser).toMatch(/Chrom/);
  expect(opened.renderer.version).toBe(100_000 + Number(major));
});

test(
  "a screenshot shows the scroll position, light colours and the end of animations",
  async () => {
    const green = await capture('<body style="margin:0;background:#0a0">');
    expect(
      (
        await capture(
          '<body style="margin:0"><div style="height:5000px;background:red"></div><div style="height:750px;background:#0a0"></div><script>scrollTo(0, 5000)</script>',
        )
      ).large,
    ).toEqual(green.large);
    const media =
      "@media (prefers-color-scheme: light) and (prefers-reduced-motion: reduce) { body { background: #0a0 } }";
    expect((await capture(`<style>body { margin: 0; background: red } ${media}</style>`)).large).toEqual(green.large);
    const fading = "@keyframes in { from { background: red } to { background: #0a0 } }";
    const end = "body { margin: 0; animation: in 60s linear forwards }";
    expect((await capture(`<style>${fading} ${end}</style>`)).large).toEqual(green.large);
  },
  hung,
);

test(
  "a change shortly after the load is in the screenshot",
  async () => {
    const green = await capture('<body style="margin:0;background:#0a0">');
    const late =
      "setTimeout(() => step(4), 0); function step(left) { document.body.dataset.left = left; if (left > 0) setTimeout(() => step(left - 1), 150); else document.body.style.background = '#0a0'; }";
    expect((await capture(`<body style="margin:0;background:red"><script>${late}</script>`)).large).toEqual(
      green.large,
    );
  },
  hung,
);

test(
  "a document sees a fixed language, time zone and size, and nothing of the machine",
  async () => {
    const { report } = await capture(
      "<script>console.log(navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone, innerWidth, innerHeight, devicePixelRatio, document.cookie === '')</script>",
    );
    expect(report.console).toEqual([{ level: "log", text: "en-US UTC 1200 750 1 true" }]);
  },
  hung,
);

test(
  "the report has errors, blocked loads and console messages, with known positions",
  async () => {
    const policy = "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'";
    const html = `<!doctype html>
<script>
  console.info("one", 2, { three: 3 }); console.warn("careful\\u0007"); console.error(new TypeError("logged"));
</script>
<img src="https://images.example/a.png?secret=1">
<script>
    undefinedThing();
</script>
<script>Promise.reject(new Error("rejected"))</script>`;
    const { report } = await opened.renderer.capture({
      ...freeDocument(html),
      headers: { "content-type": "text/html", "content-security-policy": policy },
    });
    expect(report.errors).toContainEqual({
      message: "ReferenceError: undefinedThing is not defined",
      line: 7,
      column: 5,
    });
    expect(report.errors.map(({ message }) => message)).toContain("Error: rejected");
    expect(report.errors).toContainEqual({
      message: "Blocked by the policy (img-src): https://images.example/a.png",
    });
    expect(report.console.slice(0, 2)).toEqual([
      { level: "info", text: "one 2 Object" },
      { level: "warning", text: "careful" },
    ]);
    expect(report.console[2]).toMatchObject({ level: "error", text: expect.stringContaining("TypeError: logged") });
    const free = await capture('<img src="https://images.example/a.png?secret=1">');
    expect(free.report.errors).toEqual([
      { message: "Not loaded, because screenshots are taken without a network: https://images.example/a.png" },
    ]);
  },
  hung,
);

test(
  "a document can load the files of the runtime and nothing else",
  async () => {
    const { path, imports } = opened.renderer.runtime;
    const react = imports["react"];
    const { report } = await capture(`<script type="module">
    import(${JSON.stringify(react)}).then((react) => console.log(typeof react.useState), (error) => console.log(String(error)));
    const of = (address) => fetch(address).then((response) => response.status, () => "refused");
    console.log(await of(${JSON.stringify(`${path}guard.js`)}), await of(${JSON.stringify(`${path}../manifest.json`)}), await of("/api/health"), await of(location.href));
  </script>`);
    expect(report.console.map(({ text }) => text).sort()).toEqual(["200 refused refused refused", "function"]);
  },
  hung,
);

test(
  "the browser starts with the first screenshot, is shared by the next ones, and ends when idle",
  async () => {
    await opened.close();
    const own = await testRenderer({ idleMs: 500 });
    expect(browserProcesses()).toBe(0);
    await Promise.all([own.renderer.capture(freeDocument("1")), own.renderer.capture(freeDocument("2"))]);
    await until(() => browserProcesses() === 0, "the idle browser ended");
    await own.renderer.capture(freeDocument("3"));
    await own.close();
    expect(browserProcesses()).toBe(0);
    expect(own.renderer.capture(freeDocument("4"))).rejects.toThrow("closed");
    expect(temporaryFolders()).toEqual([]);
    opened = await testRenderer();
  },
  hung,
);

test(
  "close ends a screenshot in progress, without blaming the document",
  async () => {
    await opened.close();
    const own = await testRenderer();
    const capturing = own.renderer.capture(freeDocument("<script>for (;;);</script>")).catch((error: unknown) => error);
    await until(() => renderers() > 0, "the document runs");
    await own.close();
    expect(await capturing).toHaveProperty("message", "The renderer was closed");
    opened = await testRenderer();
  },
  hung,
);

test(
  "close ends a browser that is starting",
  async () => {
    await opened.close();
    const own = await testRenderer();
    const capturing = own.renderer.capture(freeDocument("<h1>Hello</h1>")).catch((error: unknown) => error);
    await until(() => temporaryFolders().length > 0, "the browser starts");
    await own.close();
    expect(await capturing).toHaveProperty("message", "The renderer was closed");
    expect([browserProcesses(), temporaryFolders()]).toEqual([0, []]);
    opened = await testRenderer();
  },
  hung,
);

/** Starts a separate worker process that takes a screenshot, and returns all its processes, its own first. */
async function workerAtWork() {
  const program = `
    const { testRenderer, freeDocument } = await import(${JSON.stringify(new URL("./test/renderer.ts", import.meta.url).pathname)});
    const { treeOf } = await import(${JSON.stringify(new URL("./processes.ts", import.meta.url).pathname)});
    const { renderer } = await testRenderer();
    // A browser that a busy machine was too slow for has ended after its screenshot.
    do await renderer.capture(freeDocument("<h1>Hello</h1>"));
    while (treeOf(process.pid).length < 5);
    console.log(JSON.stringify(treeOf(process.pid)));
    void renderer.capture(freeDocument("<script>for (;;);</script>"));
    await Bun.sleep(600_000);
  `;
  const worker = Bun.spawn([process.execPath, "-e", program], { stdio: ["ignore", "pipe", "inherit"] });
  const { value } = await worker.stdout.getReader().read();
  const tree = JSON.parse(new TextDecoder().decode(value)) as number[];
  expect(tree.length).toBeGreaterThan(4);
  return { worker, tree };
}

test(
  "a worker that is killed leaves neither process nor folder behind",
  async () => {
    const { worker, tree } = await workerAtWork();
    worker.kill("SIGKILL");
    await worker.exited;
    await until(() => runningOf(tree).length === 0, "every process ended");
    await until(() => temporaryFolders(worker.pid).length === 0, "its folder was removed");
  },
  hung,
);

test(
  "a worker and its browser host that are killed together: the next worker removes their folder, but not that of a running worker",
  async () => {
    const [living, killed] = [await workerAtWork(), await workerAtWork()];
    const foldersOf = ({ worker: { pid } }: typeof living) => temporaryFolders(pid).length;
    try {
      // The browser host process dies before its worker; otherwise it would remove its folder.
      killAll(killed.tree.toReversed());
      await killed.worker.exited;
      await until(() => runningOf(killed.tree).length === 0, "every process ended");
      expect([foldersOf(living), foldersOf(killed)]).toEqual([1, 1]);
      const next = await testRenderer();
      await next.close();
      expect(next.notes).toEqual(opened.notes);
      expect([foldersOf(living), foldersOf(killed)]).toEqual([1, 0]);
    } finally {
      living.worker.kill("SIGKILL");
    }
    await until(() => foldersOf(living) === 0, "the browser host of the running worker removed its folder");
  },
  hung,
);

test(
  "without a browser: no renderer, and one message says so",
  async () => {
    const lines: string[] = [];
    const runtime = await readRuntime();
    const note = (line: string) => lines.push(line);
    for (const chromiumPath of ["/nowhere/chromium", "/bin/true", "/tmp"]) {
      const { renderer, browser } = await openRenderer({ runtime, chromiumPath, note, limits: generousLimits });
      expect(renderer).toBeNull();
      expect(browser).toBeNull();
      expect(lines.splice(0)).toEqual([
        `CHROMIUM_PATH is ${chromiumPath}, which is not a browser that starts, so no screenshots are taken.`,
      ]);
    }
  },
  hung,
);
