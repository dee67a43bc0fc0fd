// The renderer with ordinary documents, and its browser: started by the first document, shared, ended, and never left
// behind. With a real Chromium; without one the tests fail.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { readRuntime } from "@plinth/runtime/manifest";

import { openPainter } from "./open-painter.ts";
import { killAll, runningOf } from "./processes.ts";
import {
  freeDocument,
  hung,
  painters,
  patience,
  renderers,
  studioFolders,
  testPainter,
  until,
  type TestPainter,
} from "./testing.ts";
import { isPicture } from "./webp.ts";

let painter: TestPainter;
beforeAll(async () => {
  painter = await testPainter();
}, hung);
afterAll(() => painter.close(), hung);

const paint = (html: string) => painter.painter.paint(freeDocument(html));

test(
  "both pictures are WebP of their sizes, and the same document gives the same ones",
  async () => {
    const first = await paint("<h1>Hello</h1>");
    expect(isPicture(first.large, { width: 1200, height: 750 })).toBe(true);
    expect(isPicture(first.small, { width: 600, height: 375 })).toBe(true);
    expect(await paint("<h1>Hello</h1>")).toEqual(first);
    expect(await paint("<h1>Other</h1>")).not.toEqual(first);
    expect(first.report).toEqual({ errors: [], console: [] });
  },
  hung,
);

test("the version counts the painter, and then the browser", () => {
  const [, major] = / (\d+) /.exec(painter.browser ?? "") ?? [];
  expect(painter.browser).toMatch(/Chrom/);
  expect(painter.painter.version).toBe(100_000 + Number(major));
});

test(
  "what is seen is what a window shows: where the document scrolled to, in light colours, without motion",
  async () => {
    const green = await paint('<body style="margin:0;background:#0a0">');
    expect(
      (
        await paint(
          '<body style="margin:0"><div style="height:5000px;background:red"></div><div style="height:750px;background:#0a0"></div><script>scrollTo(0, 5000)</script>',
        )
      ).large,
    ).toEqual(green.large);
    const media =
      "@media (prefers-color-scheme: light) and (prefers-reduced-motion: reduce) { body { background: #0a0 } }";
    expect((await paint(`<style>body { margin: 0; background: red } ${media}</style>`)).large).toEqual(green.large);
    const fading = "@keyframes in { from { background: red } to { background: #0a0 } }";
    const end = "body { margin: 0; animation: in 60s linear forwards }";
    expect((await paint(`<style>${fading} ${end}</style>`)).large).toEqual(green.large);
  },
  hung,
);

test(
  "what comes a little after the load is waited for",
  async () => {
    const green = await paint('<body style="margin:0;background:#0a0">');
    const late =
      "setTimeout(() => step(4), 0); function step(left) { document.body.dataset.left = left; if (left > 0) setTimeout(() => step(left - 1), 150); else document.body.style.background = '#0a0'; }";
    expect((await paint(`<body style="margin:0;background:red"><script>${late}</script>`)).large).toEqual(green.large);
  },
  hung,
);

test(
  "a document is in a browser of its language, time and size, and sees nothing of the machine",
  async () => {
    const { report } = await paint(
      "<script>console.log(navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone, innerWidth, innerHeight, devicePixelRatio, document.cookie === '')</script>",
    );
    expect(report.console).toEqual([{ level: "log", text: "en-US UTC 1200 750 1 true" }]);
  },
  hung,
);

test(
  "errors, what was kept out and what was logged are reported, with places where they are known",
  async () => {
    const policy = "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'";
    const html = `<!doctype html>
<script>
  console.info("one", 2, { three: 3 }); console.warn("careful\\u0007"); console.error(new TypeError("logged"));
</script>
<img src="https://pictures.example/a.png?secret=1">
<script>
    undefinedThing();
</script>
<script>Promise.reject(new Error("rejected"))</script>`;
    const { report } = await painter.painter.paint({
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
      message: "Blocked by the policy (img-src): https://pictures.example/a.png",
    });
    expect(report.console.slice(0, 2)).toEqual([
      { level: "info", text: "one 2 Object" },
      { level: "warning", text: "careful" },
    ]);
    expect(report.console[2]).toMatchObject({ level: "error", text: expect.stringContaining("TypeError: logged") });
    const free = await paint('<img src="https://pictures.example/a.png?secret=1">');
    expect(free.report.errors).toEqual([
      { message: "Not loaded, as a picture is taken without a network: https://pictures.example/a.png" },
    ]);
  },
  hung,
);

test(
  "the files of the runtime are all that a document can load",
  async () => {
    const { path, imports } = painter.painter.runtime;
    const react = imports["react"];
    const { report } = await paint(`<script type="module">
    import(${JSON.stringify(react)}).then((react) => console.log(typeof react.useState), (error) => console.log(String(error)));
    const of = (address) => fetch(address).then((response) => response.status, () => "refused");
    console.log(await of(${JSON.stringify(`${path}guard.js`)}), await of(${JSON.stringify(`${path}../manifest.json`)}), await of("/api/health"), await of(location.href));
  </script>`);
    expect(report.console.map(({ text }) => text).sort()).toEqual(["200 refused refused refused", "function"]);
  },
  hung,
);

test(
  "a browser is started by the first picture, shared by the next, and ended when nobody needs it",
  async () => {
    await painter.close();
    const own = await testPainter({ idleMs: 500 });
    expect(painters()).toBe(0);
    await Promise.all([own.painter.paint(freeDocument("1")), own.painter.paint(freeDocument("2"))]);
    await until(() => painters() === 0, "the idle browser ended");
    await own.painter.paint(freeDocument("3"));
    await own.close();
    expect(painters()).toBe(0);
    expect(own.painter.paint(freeDocument("4"))).rejects.toThrow("closed");
    expect(studioFolders()).toEqual([]);
    painter = await testPainter();
  },
  hung,
);

test(
  "closing ends a picture under way, which is no fault of the document",
  async () => {
    await painter.close();
    const own = await testPainter();
    const painting = own.painter.paint(freeDocument("<script>for (;;);</script>")).catch((error: unknown) => error);
    await until(() => renderers() > 0, "the document runs");
    await own.close();
    expect(await painting).toHaveProperty("message", "The painter was closed");
    painter = await testPainter();
  },
  hung,
);

/** Starts a separate worker process that takes a screenshot, and returns all its processes, its own first. */
async function workerAtWork() {
  const program = `
    const { testPainter, freeDocument } = await import(${JSON.stringify(new URL("./testing.ts", import.meta.url).pathname)});
    const { treeOf } = await import(${JSON.stringify(new URL("./processes.ts", import.meta.url).pathname)});
    const { painter } = await testPainter();
    await painter.paint(freeDocument("<h1>Hello</h1>"));
    console.log(JSON.stringify(treeOf(process.pid)));
    void painter.paint(freeDocument("<script>for (;;);</script>"));
    await Bun.sleep(600_000);
  `;
  const worker = Bun.spawn([process.execPath, "-e", program], { stdio: ["ignore", "pipe", "inherit"] });
  const { value } = await worker.stdout.getReader().read();
  const tree = JSON.parse(new TextDecoder().decode(value)) as number[];
  expect(tree.length).toBeGreaterThan(4);
  return { worker, tree };
}

test(
  "a worker that is killed outright leaves neither process nor folder behind",
  async () => {
    const { worker, tree } = await workerAtWork();
    worker.kill("SIGKILL");
    await worker.exited;
    await until(() => runningOf(tree).length === 0, "every process ended");
    await until(() => studioFolders(worker.pid).length === 0, "its folder was removed");
  },
  hung,
);

test(
  "what is left where all of it is killed at once the next worker removes, and that of a living one it leaves alone",
  async () => {
    const [living, killed] = [await workerAtWork(), await workerAtWork()];
    const foldersOf = ({ worker: { pid } }: typeof living) => studioFolders(pid).length;
    try {
      // The browser host process dies before its worker; otherwise it would remove its folder.
      killAll(killed.tree.toReversed());
      await killed.worker.exited;
      await until(() => runningOf(killed.tree).length === 0, "every process ended");
      expect([foldersOf(living), foldersOf(killed)]).toEqual([1, 1]);
      const next = await testPainter();
      await next.close();
      expect(next.notes).toEqual(painter.notes);
      expect([foldersOf(living), foldersOf(killed)]).toEqual([1, 0]);
    } finally {
      living.worker.kill("SIGKILL");
    }
    await until(() => foldersOf(living) === 0, "the folder of the living one was removed by its studio");
  },
  hung,
);

test(
  "without a browser there is no painter, and one line says so",
  async () => {
    const lines: string[] = [];
    const runtime = await readRuntime();
    const note = (line: string) => lines.push(line);
    for (const chromiumPath of ["/nowhere/chromium", "/bin/true", "/tmp"]) {
      const { painter, browser } = await openPainter({ runtime, chromiumPath, note, limits: patience });
      expect(painter).toBeNull();
      expect(browser).toBeNull();
      expect(lines.splice(0)).toEqual([
        `CHROMIUM_PATH is ${chromiumPath}, which is no browser that starts, so no pictures are taken.`,
      ]);
    }
  },
  hung,
);
