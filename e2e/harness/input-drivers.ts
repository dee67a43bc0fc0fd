// The two input methods of a page with one interface: the pointer, and the keyboard alone. Each user flow is written
// once and can run with both.
import type { Locator, Page } from "playwright-core";

import { chooseFrom, pick, pressOn, typeInto } from "./keyboard.ts";
import { sample, testRandom } from "./test-seed.ts";

export interface InputDriver {
  /** A link, a button or a summary. */
  press(target: Locator): Promise<void>;
  /** A checkbox that is not checked. */
  check(box: Locator): Promise<void>;
  /** One of a group of radio buttons. */
  pick(radio: Locator): Promise<void>;
  /** Replaces the content of the field. */
  write(field: Locator, text: string): Promise<void>;
  /** By the text of an option, or its beginning. */
  choose(list: Locator, option: string): Promise<void>;
}

const pointer = (): InputDriver => ({
  press: (target) => target.click(),
  check: (box) => box.check(),
  pick: (radio) => radio.check(),
  write: (field, text) => field.fill(text),
  async choose(list, option) {
    // The page with the list may still be on its way.
    await list.locator("option").filter({ hasText: option }).first().waitFor({ state: "attached" });
    const words = await list.getByRole("option").allInnerTexts();
    const index = words.findIndex((text) => text.trim().startsWith(option));
    if (index === -1) throw new Error(`${option} is none of ${JSON.stringify(words)}`);
    await list.selectOption({ index });
  },
});

const keyboard = (page: Page): InputDriver => ({
  press: (target) => pressOn(page, target),
  check: (box) => pressOn(page, box, "Space"),
  pick: (radio) => pick(page, radio),
  write: (field, text) => typeInto(page, field, text),
  choose: (list, option) => chooseFrom(page, list, option),
});

const drivers: readonly (readonly [string, (page: Page) => InputDriver])[] = [
  ["by pointer", pointer],
  ["by keyboard alone", keyboard],
];

/**
 * For `test.each`: the end of the test's name, and the driver for a page. One of both, by the seed of the run;
 * `TEST_SAMPLES=all bun run test e2e/journeys` has both.
 */
export const inputDriversOf = (journey: string) => sample(drivers, 1, testRandom("journeys", journey));
