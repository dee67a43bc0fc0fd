// The tests of a file in one of the engines that readers have, by the seed of the run; all of them with `TEST_SAMPLES=all`.
import { afterAll, beforeAll, describe } from "bun:test";

import { sample, testRandom } from "../test-seed.ts";
import { openChromium } from "./chromium.ts";
import type { Engine } from "./engine.ts";
import { openFirefox } from "./firefox.ts";
import { openWebKit } from "./webkit.ts";

const engines = { Chromium: openChromium, Firefox: openFirefox, WebKit: openWebKit } as const;

export type EngineName = keyof typeof engines;

/** `tests` are given the engine as a function, since it is open only while they run. */
export function eachEngine(what: string, tests: (engine: () => Engine, name: EngineName) => void): void {
  const names = Object.keys(engines) as EngineName[];
  describe.each(sample(names, 1, testRandom(what)))("%s", (name) => {
    let engine: Engine;
    beforeAll(async () => {
      engine = await engines[name]();
    });
    afterAll(() => engine?.close());
    tests(() => engine, name);
  });
}
