// The program in which pictures are taken: one browser, one document at a time, told by the worker what to do. It is a
// process of its own so that whatever a page says or does, the worker's own time and memory go to its requests. It has
// no environment, no database and no secret; it must stay that way.
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
  // Once more after Playwright's own, which kills the browser.
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
// The worker has died: when it is done with us, it kills us outright.
process.on("disconnect", () => process.exit(0));
