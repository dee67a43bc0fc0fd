// jsx documents in Chromium, framed as in the viewer: what is shown, loaded and reported.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { FrameMessage } from "@plinth/contract/frame-messages";
import type { Frame } from "playwright-core";

import { hung } from "./harness/process.ts";
import { jsxFrames } from "./harness/jsx-frames.ts";
import { sampleWithFirst, testRandom } from "./harness/test-seed.ts";

setDefaultTimeout(2 * hung);

const show = jsxFrames();

const panel = (frame: Frame) => frame.locator("#plinth-errors section");

describe("each form that documents are written in is shown", () => {
  const forms: Readonly<Record<string, string>> = {
    "a function": "export default function App() { return <p>shown</p> }",
    "an arrow": "export default () => <p>shown</p>",
    "a class":
      'import { Component } from "react"; export default class extends Component { render() { return <p>shown</p> } }',
    memo: 'import { memo } from "react"; export default memo(() => <p>shown</p>)',
    forwardRef: 'import React from "react"; export default React.forwardRef((props, ref) => <p ref={ref}>shown</p>)',
    "an element": "export default <p>shown</p>",
    "a constant": "const App = () => <p>shown</p>;\nexport default App",
    "a list of exports": "function App() { return <p>shown</p> }\nexport { App as default }",
    "App without an export": "const Row = () => <p>shown</p>; const App = () => <Row />",
    "the last component": "function Row() { return <p>shown</p> }\nfunction Table() { return <Row /> }",
    render: "function App() { return <p>shown</p> }\nrender(<App />)",
    "root.render": "const Other = () => <p>shown</p>; root.render(<Other />)",
    "ReactDOM.render":
      'import ReactDOM from "react-dom"; ReactDOM.render(<p>shown</p>, document.getElementById("root"))',
    "ReactDOM without an import": 'ReactDOM.createRoot(document.getElementById("root")).render(<p>shown</p>)',
    createRoot:
      'import { createRoot } from "react-dom/client"; createRoot(document.getElementById("root")).render(<p>shown</p>)',
    "createRoot of another name":
      'import { createRoot } from "react-dom/client"; createRoot(document.getElementById("app")!).render(<p>shown</p>)',
    "createRoot and an export": `import { createContext, use } from "react"; import { createRoot } from "react-dom/client";
       const Text = createContext("not"); export default function App() { return <p>{use(Text)}</p> }
       createRoot(document.getElementById("root")).render(<Text value="shown"><App /></Text>);`,
    "React without an import": 'export default () => { const [text] = React.useState("shown"); return <p>{text}</p> }',
    "names taken from React": 'const { useState } = React; export default () => <p>{useState("shown")[0]}</p>',
    "hooks without an import":
      'export default () => { const [text, set] = useState(""); useEffect(() => set("shown"), []); return <p>{text}</p> }',
    "everything of React":
      'import * as React from "react"; export default () => <p>{React.useMemo(() => "shown", [])}</p>',
    TypeScript:
      'import { type FC, ReactNode } from "react"; interface P { n: ReactNode } const App: FC<P> = ({ n = "shown" }) => <p>{n as string}</p>; export default App',
  };

  // By the seed of the run; `TEST_SAMPLES=all bun run test e2e/jsx.browser` has all.
  test.each(sampleWithFirst(Object.entries(forms), 4, testRandom("jsx", "forms")))("%s", async (_name, source) => {
    const { frame, messages } = await show(source);
    await frame.locator("#root > p", { hasText: /^shown$/ }).waitFor();
    expect(await panel(frame).count()).toBe(0);
    expect(await messages()).toEqual([]);
  });
});

describe("Tailwind's classes", () => {
  const styleOf = (frame: Frame, selector: string, property: string) =>
    frame.locator(selector).evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);

  test("have their effect, those of version 3 and in any expression as well", async () => {
    const { frame } = await show(`const wide = { true: "w-[37px]", false: "w-1" };
      export default function App() {
        return <><h1>Title</h1><div id="a" className={\`p-4 \${wide[true]} border bg-black bg-opacity-50\`}>x</div></>;
      }`);
    expect(await styleOf(frame, "#a", "padding-top")).toBe("16px");
    expect(await styleOf(frame, "#a", "width")).toBe("37px");
    expect(await styleOf(frame, "#a", "border-top-width")).toBe("1px");
    expect(await styleOf(frame, "#a", "background-color")).toMatch(/ \/ 0\.5\)$/);
    expect(await styleOf(frame, "h1", "font-size")).toBe("16px");
  });

  test("those of our components are there as well", async () => {
    const { frame } = await show(
      'import { Button } from "@/components/ui/button"; export default () => <Button id="a">x</Button>',
    );
    expect(await styleOf(frame, "#a", "display")).toBe("inline-flex");
    expect(await styleOf(frame, "#a", "cursor")).toBe("pointer");
    expect(await styleOf(frame, "#a", "background-color")).not.toBe("rgba(0, 0, 0, 0)");
  });

  test("where there is none, the browser's own styles stay", async () => {
    const { frame } = await show("export default () => <h1 style={{ display: 'flex' }}>Title</h1>");
    expect(await styleOf(frame, "h1", "font-size")).toBe("32px");
    expect(await styleOf(frame, "body", "margin-top")).toBe("0px");
  });

  test("a part as high as the window, or as what is around it, is", async () => {
    const { frame } = await show(
      'export default () => <div id="outer" className="h-full"><div id="inner" className="min-h-screen">x</div></div>',
    );
    for (const part of ["#outer", "#inner"]) expect(await styleOf(frame, part, "height")).toBe("700px");
  });

  test("dark: follows what the reader prefers, or the class on an ancestor", async () => {
    const source = 'export default () => <p className="bg-white dark:bg-black">x</p>';
    const dark = await show(source, { colorScheme: "dark" });
    expect(await styleOf(dark.frame, "p", "background-color")).toBe("rgb(0, 0, 0)");
    expect(await styleOf(dark.frame, "html", "color-scheme")).toBe("dark");
    const light = await show(source, { colorScheme: "light" });
    expect(await styleOf(light.frame, "p", "background-color")).toBe("rgb(255, 255, 255)");
    await light.frame.evaluate(() => document.documentElement.classList.add("dark"));
    expect(await styleOf(light.frame, "p", "background-color")).toBe("rgb(0, 0, 0)");
  });

  test("a document with its own theme switch is light by default; one with colours of the theme alone follows the reader", async () => {
    const own = await show(
      `export default () => <p className="bg-background dark:p-1"
         onClick={() => document.documentElement.classList.toggle("dark")}>x</p>`,
      { colorScheme: "dark" },
    );
    expect(await styleOf(own.frame, "p", "padding-top")).toBe("0px");
    await own.frame.locator("p").click();
    expect(await styleOf(own.frame, "p", "padding-top")).toBe("4px");
    expect(await styleOf(own.frame, "p", "background-color")).not.toBe("rgb(255, 255, 255)");
    const themed = 'export default () => <p className="bg-background">x</p>';
    const [light, dark] = [await show(themed, { colorScheme: "light" }), await show(themed, { colorScheme: "dark" })];
    expect(await styleOf(light.frame, "p", "background-color")).toBe("rgb(255, 255, 255)");
    expect(await styleOf(dark.frame, "p", "background-color")).not.toBe("rgb(255, 255, 255)");
  });
});

describe("only what a document imports", () => {
  test("is loaded, and preloaded", async () => {
    const { frame, loaded } = await show(
      'import { Heart } from "lucide-react"; export default () => <Heart id="icon" />',
    );
    await frame.locator("#icon").waitFor();
    const entries = loaded.filter((file) => !file.startsWith("chunk-")).sort();
    expect(entries).toEqual(["lucide-react.js", "mount.js", "react-jsx-runtime.js", "report.js"]);
    expect(new Set(loaded).size).toBe(loaded.length);
    const imports = await frame.locator('script[type="importmap"]').textContent();
    expect(Object.keys((JSON.parse(imports ?? "") as { imports: object }).imports).sort()).toEqual([
      "@plinth/mount",
      "lucide-react",
      "react/jsx-runtime",
    ]);
  });

  test("can be loaded later as well", async () => {
    const { frame, loaded } = await show(
      `const load = () => import("clsx").then(({ clsx }) => (document.title = clsx("a", "b")));
       export default () => <button onClick={load}>load</button>`,
    );
    await frame.locator("button").click();
    await frame.waitForFunction(() => document.title === "a b");
    expect(loaded).toContain("clsx.js");
  });
});

describe("what fails is told in the frame and to the page, with its component and its place in the source", () => {
  /** Lines count from 1 in the text as it is published. */
  const cases: readonly (readonly [string, string, Omit<Extract<FrameMessage, { type: "plinth:error" }>, "type">])[] = [
    [
      "while it renders",
      `import { useState } from "react";
// é 😀
type Item = { name: string };

function Row({ item }: { item?: Item }) {
  return <li>{item!.name}</li>;
}

export default function App() {
  const [items] = useState<(Item | undefined)[]>([{ name: "a" }, undefined]);
  return <ul>{items.map((item, i) => <Row key={i} item={item} />)}</ul>;
}`,
      {
        message: "TypeError: Cannot read properties of undefined (reading 'name')",
        component: "Row",
        line: 6,
        column: 21,
      },
    ],
    [
      "in an effect",
      `export default function Chart() {
  React.useEffect(() => {
    throw new RangeError("too far");
  }, []);
  return <p>x</p>;
}`,
      { message: "RangeError: too far", component: "Chart", line: 3, column: 11 },
    ],
    [
      "in a promise",
      `const App = () => {
  const load = async () => {
    await null;
    JSON.parse("{");
  };
  useEffect(() => void load(), []);
  return <p>x</p>;
};
export default App;`,
      { message: expect.stringMatching(/^SyntaxError: /), component: "App", line: 4, column: 10 },
    ],
    [
      "before anything is mounted",
      `const total = [1, 2].reduce((a, b) => a + b);
const broken = window.nothing.here;
export default () => <p>{total + broken}</p>;`,
      { message: "TypeError: Cannot read properties of undefined (reading 'here')", line: 2, column: 31 },
    ],
    [
      "a state that is set while it renders",
      `export default function Loop() {
  const [n, setN] = useState(0);
  setN(n + 1);
  return <p>{n}</p>;
}`,
      {
        message: "Too many re-renders: a component sets state while it renders.",
        component: "Loop",
        line: 2,
        column: 21,
      },
    ],
    [
      "an object that is rendered",
      `function Cell() {
  return <td>{{ a: 1 } as any}</td>;
}
export default () => <table><tbody><tr><Cell /></tr></tbody></table>;`,
      {
        message:
          "An object cannot be rendered (found: object with keys {a}). Render one of its properties, or a list made of them.",
        component: "Cell",
        line: 1,
      },
    ],
    [
      "no component where one should be",
      "const pages = { a: 1 };\nexport default function App() {\n  return <pages.b />;\n}",
      {
        message: "What should be a component is undefined. Is it declared, and imported by its right name?",
        component: "App",
        line: 2,
      },
    ],
    [
      "what is exported",
      "export default { title: 'x' }",
      { message: "The default export is an object, not a component." },
    ],
  ];

  test.each(sampleWithFirst(cases, 5, testRandom("jsx", "failures")))("%s", async (_name, source, expected) => {
    const { frame, messages } = await show(source);
    await panel(frame).locator("p").waitFor();
    const [message, ...more] = await messages();
    expect(message).toEqual({ type: "plinth:error", ...expected });
    expect(more).toEqual([]);
    const text = await panel(frame).innerText();
    if (expected.component) expect(text).toContain(`in ${expected.component}`);
    if (expected.line) expect(text).toContain(`line ${expected.line}`);
  });

  test("in a handler the rest goes on, and the panel can be closed", async () => {
    const { frame, messages } = await show(`export default function Counter() {
  const add = () => {
    undefined_name();
  };
  return <button onClick={add}>add</button>;
}`);
    await frame.locator("button").click();
    await panel(frame).locator("p").waitFor();
    expect(await messages()).toEqual([
      {
        type: "plinth:error",
        message: "ReferenceError: undefined_name is not defined",
        component: "Counter",
        line: 3,
        column: 5,
      },
    ]);
    await panel(frame).getByRole("button", { name: "Close" }).click();
    expect(await panel(frame).count()).toBe(0);
    expect(await frame.locator("#root > button").count()).toBe(1);
  });

  test("a module that cannot be loaded", async () => {
    const source = 'import clsx from "clsx"; export default () => <p>{clsx("a")}</p>';
    const { frame, messages } = await show(source, { without: /\/clsx\.js$/ });
    await panel(frame).getByText("A module of this document could not be loaded.").waitFor();
    expect(await messages()).toHaveLength(1);
  });

  test("any thrown value is shown as text, and reported five times at most", async () => {
    const { frame, messages } = await show(`export default () => <p>x</p>;
for (const thrown of ["<img src=x onerror=alert(1)>", { get message() { throw 1 } }, null,
  Object.defineProperty(new Error("a"), "stack", { get() { throw 2 } }), new Error("x".repeat(1e6)), 5, 6, 7])
  Promise.reject(thrown);`);
    await panel(frame).locator("p").nth(4).waitFor();
    expect(await panel(frame).locator("p").count()).toBe(5);
    expect(await panel(frame).locator("img").count()).toBe(0);
    expect(await messages()).toHaveLength(5);
  });
});
