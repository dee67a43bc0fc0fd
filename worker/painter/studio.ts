// The program that takes the screenshots: one browser, one document at a time, controlled by the worker. It is a
// separate process, so that a page cannot use up the worker's time and memory. It has no environment, no database and
// no secret, and must stay that way.
import { rmSync } from "node:fs";

import { chromium, type Browser } from "playwright-core";

import { STARTING_MS } from "./limits.ts";
import type { FromStudio, StudioSetting, ToStudio } from "./messages.ts";
import { paintPage } from "./paint-page.ts";

let studio: { readonly browser: Browser; readonly runtime: StudioSetting["runtime"] } | null = null;

const send = (message: FromStudio): void => void process.send?.(message);

async function open(setting: StudioSetting): Promise<void> {
  const { environment, directory } = setting;
  const [program = "", ...args] = setting.command;
  const clean = () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  process.on("exit", clean);
  const browser = await chromium.launch({
    executablePath: Bun.which(program) ?? program,
    args,
    ignoreDefaultArgs: true,
    env: { ...environment },
    timeout: STARTING_MS,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  // Again after Playwright's handler, which kills the browser.
  process.on("exit", clean);
  studio = { browser, runtime: setting.runtime };
  send({ ready: true });
}

async function obey(message: ToStudio): Promise<void> {
  try {
    if ("setting" in message) return await open(message.setting);
    if (studio === null) throw new Error("there is no browser yet");
    send(
      await paintPage(studio.browser, message.paint, { ...studio, limits: message.limits }, (said) => send({ said })),
    );
  } catch (error) {
    send({ broken: error instanceof Error ? error.message : String(error) });
  }
}

process.on("message", (message: ToStudio) => void obey(message));
// The worker has died. When a worker has finished with this process, it kills it directly.
process.on("disconnect", () => process.exit(0));
