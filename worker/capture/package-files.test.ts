// A document's packages in its screenshot: the browser asks the worker for each file, and gets those of its packages and no
// others.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { contentHeaders } from "@plinth/domain/render/headers/content-headers";

import { freeDocument, hung, testRenderer, type TestRenderer } from "./test/renderer.ts";

let opened: TestRenderer;
beforeAll(async () => {
  opened = await testRenderer();
}, hung);
afterAll(() => opened.close(), hung);

const hash = "a".repeat(64);
const headers = { "content-type": "text/javascript", "access-control-allow-origin": "*" };
const fileOf = (text: string) => ({ bytes: new TextEncoder().encode(text), headers });

const policy = (more: { readonly packagesPath?: string; readonly ownUrl?: string }) =>
  contentHeaders({
    type: "html",
    nonce: "n",
    appOrigin: "http://plinth.test",
    contentOrigin: "http://plinth.test",
    runtimePath: opened.renderer.runtime.path,
    cdnAllowlist: [],
    publicSteady: false,
    ownUrl: null,
    ...more,
  });

test(
  "scripts, imports and queries of packages are served, and every request is one for the worker",
  async () => {
    const asked: string[] = [];
    const files: Record<string, string> = {
      [`/_packages/${hash}/x.js`]: `import "./part.js"; document.body.style.background = "#0a0"; console.log("whole")`,
      [`/_packages/${hash}/part.js`]: `console.log("part")`,
    };
    const html = `<body style="margin:0;background:red"><script type="module" src="/_packages/${hash}/x.js?a=1"></script>
      <script src="/_packages/${hash}/none.js"></script><script src="https://elsewhere.test/_packages/${hash}/x.js"></script>`;
    const shown = await opened.renderer.capture(freeDocument(html), (path) => {
      asked.push(path);
      const text = files[path];
      return Promise.resolve(text === undefined ? null : fileOf(text));
    });
    expect(asked.toSorted()).toEqual([...Object.keys(files), `/_packages/${hash}/none.js`].toSorted());
    expect(shown.report.console.map(({ text }) => text)).toEqual(["part", "whole"]);
    expect(shown.report.errors.map(({ message }) => message).toSorted()).toEqual([
      `Not loaded, because screenshots are taken without a network: http://plinth.test/_packages/${hash}/none.js`,
      `Not loaded, because screenshots are taken without a network: https://elsewhere.test/_packages/${hash}/x.js`,
    ]);
    const green = await opened.renderer.capture(freeDocument(`<body style="margin:0;background:#0a0">`));
    expect(shown.large).toEqual(green.large);
  },
  hung,
);

test(
  "a document among its files loads them by relative URLs",
  async () => {
    const asked: string[] = [];
    const html = `<body style="margin:0;background:red"><script src="../app.js"></script><script src="own.js"></script>`;
    const document = { ...freeDocument(html), path: "/_content/screenshot/files/guide/" };
    const shown = await opened.renderer.capture(document, (path) => {
      asked.push(path);
      return Promise.resolve(fileOf(`console.log(${JSON.stringify(path)})`));
    });
    expect(asked).toEqual(["/_content/screenshot/files/app.js", "/_content/screenshot/files/guide/own.js"]);
    expect(shown.report.console.map(({ text }) => text)).toEqual(asked);
  },
  hung,
);

test(
  "the policy of a framed document lets them in, and a document without packages gets none",
  async () => {
    const document = {
      ...freeDocument(`<script type="module" src="/_packages/${hash}/x.js"></script>`),
      headers: policy({ packagesPath: "/_packages/" }),
    };
    const logs = async (...given: Parameters<typeof opened.renderer.capture>) =>
      (await opened.renderer.capture(...given)).report.console.map(({ text }) => text);
    expect(await logs(document, () => Promise.resolve(fileOf(`console.log("ran")`)))).toEqual(["ran"]);
    const without = { ...document, headers: policy({}) };
    expect(await logs(without, () => Promise.resolve(fileOf(`console.log("ran")`)))).toEqual([]);
    expect(await logs(document)).toEqual([]);
  },
  hung,
);

test(
  "a document that loads itself again at its address is shown as it was before, and nothing is reported",
  async () => {
    const green = (script: string) =>
      freeDocument(`<body style="margin:0;background:#0a0"><script>onload = () => { ${script} }</script>`);
    const { origin, path } = green("");
    const own = policy({ ownUrl: origin + path });
    const still = await opened.renderer.capture({ ...green(""), headers: own });
    for (const script of ["location.reload()", `location.search = "tab=2"`]) {
      const again = await opened.renderer.capture({ ...green(script), headers: own });
      expect([script, again.large, again.report]).toEqual([script, still.large, { errors: [], console: [] }]);
    }
    const without = await opened.renderer.capture({ ...green(`location.search = "tab=2"`), headers: policy({}) });
    expect(without.large).not.toEqual(still.large);
  },
  hung,
);

test(
  "a file that cannot be read fails the capture, and the next one succeeds",
  async () => {
    const document = freeDocument(`<script src="/_packages/${hash}/x.js"></script>`);
    const failed = opened.renderer.capture(document, () => Promise.reject(new Error("the database is away")));
    expect(await failed.catch((error: Error) => error.message)).toContain("the database is away");
    const { report } = await opened.renderer.capture(document, () => Promise.resolve(fileOf(`console.log("ran")`)));
    expect(report.console).toHaveLength(1);
  },
  hung,
);
