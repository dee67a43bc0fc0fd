// jsx documents in Chromium, framed as the viewer frames them: what is shown, loaded and told of.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { frameAttributes } from "@plinth/contract/frame";
import type { FrameMessage } from "@plinth/contract/frame-messages";
import type { Browser, BrowserContext, Frame, Page } from "playwright-core";

import { openBrowser } from "./harness/browser.ts";
import { startInstance, type Instance } from "./harness/instance.ts";
import { createArtifact, createPerson, createProject, type Person } from "./harness/people.ts";
import { hung } from "./harness/process.ts";

setDefaultTimeout(hung);

let instance: Instance;
let browser: Browser;
let context: BrowserContext;
let owner: Person;
let projectSlug: string;

beforeAll(async () => {
  [instance, browser] = await Promise.all([startInstance(), openBrowser()]);
  owner = await createPerson(instance);
  projectSlug = (await createProject(owner)).slug;
  context = await browser.newContext();
  context.setDefaultTimeout(15_000);
});
afterAll(async () => {
  await browser.close();
  await instance.stop();
});

interface Shown {
  readonly page: Page;
  readonly frame: Frame;
  /** Paths of what the document loaded, without the runtime's folder. */
  readonly loaded: string[];
  /** What it posted to its page. */
  readonly messages: () => Promise<FrameMessage[]>;
}

/** Publishes the source and opens it in a page of the application's origin that holds nothing but its frame. */
async function show(content: string, media: { colorScheme?: "light" | "dark" } = {}): Promise<Shown> {
  const { artifactId } = await createArtifact(owner, projectSlug, { type: "jsx", content });
  const page = await context.newPage();
  await page.emulateMedia(media);
  const loaded: string[] = [];
  page.on("request", (request) => {
    const [, file] = /\/_runtime\/\w+\/(.+)$/.exec(request.url()) ?? [];
    if (file) loaded.push(file);
  });
  const { sandbox, allow, referrerpolicy } = frameAttributes("jsx");
  const body = `<!doctype html><script>messages = []; onmessage = ({ data }) => messages.push(data)</script>
    <iframe src="/_content/p/${artifactId}/1" sandbox="${sandbox}" allow="${allow}" referrerpolicy="${referrerpolicy}"
      style="width:800px;height:600px;border:0"></iframe>`;
  await page.route(`${instance.origin}/frame`, (route) => route.fulfill({ contentType: "text/html", body }));
  await page.goto(`${instance.origin}/frame`);
  const frame = page.frames()[1];
  if (!frame) throw new Error("The page has no frame");
  return {
    page,
    frame,
    loaded,
    messages: () => page.evaluate(() => Reflect.get(globalThis, "messages") as FrameMessage[]),
  };
}

const panel = (frame: Frame) => frame.locator("#plinth-errors section");

describe("each form that documents are written in is shown", () => {
  test.each([
    ["a function", "export default function App() { return <p>shown</p> }"],
    ["an arrow", "export default () => <p>shown</p>"],
    [
      "a class",
      'import { Component } from "react"; export default class extends Component { render() { return <p>shown</p> } }',
    ],
    ["memo", 'import { memo } from "react"; export default memo(() => <p>shown</p>)'],
    [
      "forwardRef",
      'import React from "react"; export default React.forwardRef((props, ref) => <p ref={ref}>shown</p>)',
    ],
    ["an element", "export default <p>shown</p>"],
    ["a constant", "const App = () => <p>shown</p>;\nexport default App"],
    ["a list of exports", "function App() { return <p>shown</p> }\nexport { App as default }"],
    ["App without an export", "const Row = () => <p>shown</p>; const App = () => <Row />"],
    ["the last component", "function Row() { return <p>shown</p> }\nfunction Table() { return <Row /> }"],
    ["render", "function App() { return <p>shown</p> }\nrender(<App />)"],
    ["root.render", "const Other = () => <p>shown</p>; root.render(<Other />)"],
    [
      "ReactDOM.render",
      'import ReactDOM from "react-dom"; ReactDOM.render(<p>shown</p>, document.getElementById("root"))',
    ],
    ["ReactDOM without an import", 'ReactDOM.createRoot(document.getElementById("root")).render(<p>shown</p>)'],
    [
      "createRoot",
      'import { createRoot } from "react-dom/client"; createRoot(document.getElementById("root")).render(<p>shown</p>)',
    ],
    [
      "createRoot of another name",
      'import { createRoot } from "react-dom/client"; createRoot(document.getElementById("app")!).render(<p>shown</p>)',
    ],
    [
      "createRoot and an export",
      `import { createContext, use } from "react"; import { createRoot } from "react-dom/client";
       const Text = createContext("not"); export default function App() { return <p>{use(Text)}</p> }
       createRoot(document.getElementById("root")).render(<Text value="shown"><App /></Text>);`,
    ],
    [
      "React without an import",
      'export default () => { const [text] = React.useState("shown"); return <p>{text}</p> }',
    ],
    ["names taken from React", 'const { useState } = React; export default () => <p>{useState("shown")[0]}</p>'],
    [
      "hooks without an import",
      'export default () => { const [text, set] = useState(""); useEffect(() => set("shown"), []); return <p>{text}</p> }',
    ],
    [
      "everything of React",
      'import * as React from "react"; export default () => <p>{React.useMemo(() => "shown", [])}</p>',
    ],
    [
      "TypeScript",
      'import { type FC, ReactNode } from "react"; interface P { n: ReactNode } const App: FC<P> = ({ n = "shown" }) => <p>{n as string}</p>; export default App',
    ],
  ])("%s", async (_name, source) => {
    const { page, frame, messages } = await show(source);
    await frame.locator("#root > p", { hasText: /^shown$/ }).waitFor();
    expect(await panel(frame).count()).toBe(0);
    expect(await messages()).toEqual([]);
    await page.close();
  });
});
