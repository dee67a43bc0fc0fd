// WebKitGTK's MiniBrowser on a separate display, driven by WebDriver over HTTP.
import { reservePort } from "@plinth/support/reserved-port";

import { eventually, hung } from "../process.ts";
import { engineOf, type Button, type Engine } from "./engine.ts";

const elementKey = "element-6066-11e4-a52e-4f735466cecf";
const keyCodes = { Enter: "\uE007", Tab: "\uE004" } as const;
const control = "\uE009";

/** @throws Error that says what to install */
export async function openWebKit(): Promise<Engine> {
  const driver = Bun.which("WebKitWebDriver");
  const binary = [...new Bun.Glob("/usr/lib/*/webkit2gtk-4.*/MiniBrowser").scanSync()][0];
  const xvfb = Bun.which("Xvfb");
  if (driver === null || binary === undefined || xvfb === null)
    throw new Error("WebKit is not installed (Debian: apt-get install webkit2gtk-driver xvfb).");
  const display = await startDisplay(xvfb);
  const port = reservePort();
  const server = Bun.spawn([driver, `--port=${port}`], {
    env: { ...process.env, DISPLAY: display.name },
    stdio: ["ignore", "ignore", "ignore"],
  });
  const end = async () => {
    server.kill();
    await server.exited;
    await display.stop();
  };
  try {
    return await session(`http://127.0.0.1:${port}`, binary, end);
  } catch (error) {
    await end();
    throw error;
  }
}

async function startDisplay(xvfb: string): Promise<{ name: string; stop: () => Promise<void> }> {
  const display = Bun.spawn([xvfb, "-displayfd", "1", "-screen", "0", "1440x900x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  let said = "";
  const decoder = new TextDecoder();
  for await (const chunk of display.stdout) {
    said += decoder.decode(chunk);
    if (said.includes("\n")) break;
  }
  if (!said.includes("\n")) throw new Error("Xvfb ended before it had a display");
  return {
    name: `:${said.trim()}`,
    stop: async () => {
      display.kill();
      await display.exited;
    },
  };
}

async function session(base: string, binary: string, end: () => Promise<void>): Promise<Engine> {
  const send = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(base + path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(hung),
    });
    const { value } = (await answer.json()) as { value: unknown };
    if (!answer.ok) throw new Error(`WebKit: ${method} ${path}: ${JSON.stringify(value)}`);
    return value;
  };
  await listening(base);
  const options = { "webkitgtk:browserOptions": { binary, args: ["--automation"] } };
  const { sessionId, capabilities } = (await send("POST", "/session", {
    capabilities: { alwaysMatch: options },
  })) as { sessionId: string; capabilities: { browserVersion: string } };
  const at = (path: string) => `/session/${sessionId}${path}`;
  const post = (path: string, body: object = {}) => send("POST", at(path), body);
  const first = (await send("GET", at("/window"))) as string;
  const handles = async () => (await send("GET", at("/window/handles"))) as string[];
  const run = (script: string) => post("/execute/sync", { script, args: [] });
  const act = (actions: object[]) => post("/actions", { actions });
  const toFrame = async () => {
    const element = (await post("/element", { using: "css selector", value: "iframe" })) as Record<string, string>;
    await post("/frame", { id: { [elementKey]: element[elementKey] } });
  };
  const keys = (values: readonly string[]) =>
    act([
      {
        type: "key",
        id: "keyboard",
        actions: values.flatMap((value) => [
          { type: "keyDown", value },
          { type: "keyUp", value },
        ]),
      },
    ]);
  const pause = { type: "pause", duration: 0 };
  const mouse = (actions: readonly object[]) => ({
    type: "pointer",
    id: "mouse",
    parameters: { pointerType: "mouse" },
    actions,
  });
  await post("/window/rect", { width: 1280, height: 860 });
  return engineOf({
    name: "WebKit",
    version: capabilities.browserVersion,
    open: async (url) => void (await post("/url", { url })),
    async evaluate(place, expression) {
      await post("/frame", { id: null });
      if (place === "frame") await toFrame();
      try {
        return await run(`return (${expression});`);
      } finally {
        await post("/frame", { id: null });
      }
    },
    async moveTo(x, y) {
      await act([mouse([{ type: "pointerMove", x, y, duration: 0, origin: "viewport" }])]);
    },
    async pressAt(x, y, button: Button, withControl) {
      const which = button === "left" ? 0 : 1;
      const pointer = [
        { type: "pointerMove", x, y, duration: 0, origin: "viewport" },
        ...(withControl ? [pause] : []),
        { type: "pointerDown", button: which },
        { type: "pointerUp", button: which },
        ...(withControl ? [pause] : []),
      ];
      const held = {
        type: "key",
        id: "keyboard",
        actions: [pause, { type: "keyDown", value: control }, pause, pause, { type: "keyUp", value: control }],
      };
      await act([...(withControl ? [held] : []), mouse(pointer)]);
      await send("DELETE", at("/actions"));
    },
    type: async (text) => void (await keys([...text])),
    pressKey: async (key) => void (await keys([keyCodes[key]])),
    tabs: async () => (await handles()).length,
    async closeOthers() {
      for (const handle of await handles()) {
        if (handle === first) continue;
        await post("/window", { handle });
        await send("DELETE", at("/window"));
      }
      await post("/window", { handle: first });
    },
    async close() {
      await send("DELETE", at("")).catch(() => undefined);
      await end();
    },
  });
}

const listening = (base: string): Promise<boolean> =>
  eventually(
    async () => (await fetch(`${base}/status`).catch(() => null))?.ok,
    () => "WebKitWebDriver did not begin to listen",
  );
