// One browser window for tests of any engine. The common parts are here; chromium.ts, firefox.ts and webkit.ts drive
// each engine.
import { eventually } from "../process.ts";

export type Button = "left" | "middle";
export type Place = "page" | "frame";

/** What each engine implements. */
export interface Driver {
  readonly name: string;
  readonly version: string;
  open(url: string): Promise<void>;
  /** The JSON value of an expression, in the page or in its first frame. */
  evaluate(place: Place, expression: string): Promise<unknown>;
  /** Moves the mouse, in CSS pixels of the page's viewport. */
  moveTo(x: number, y: number): Promise<void>;
  /** A press by the mouse, in CSS pixels of the page's viewport. */
  pressAt(x: number, y: number, button: Button, withControl: boolean): Promise<void>;
  type(text: string): Promise<void>;
  pressKey(key: "Enter" | "Tab"): Promise<void>;
  /** The number of open tabs and windows. */
  tabs(): Promise<number>;
  /** Closes all tabs except the first. */
  closeOthers(): Promise<void>;
  close(): Promise<void>;
}

export interface PressOptions {
  readonly button?: Button;
  readonly withControl?: boolean;
}

export interface Engine extends Driver {
  /** Presses the centre of the first matching element. */
  press(place: Place, selector: string, options?: PressOptions): Promise<void>;
  /** Waits until the expression is true. */
  until(place: Place, expression: string): Promise<void>;
  /** Waits for this number of tabs and windows, because a browser reports a new one after its first request. */
  untilTabs(count: number): Promise<void>;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

export function engineOf(driver: Driver): Engine {
  const until = async (place: Place, expression: string): Promise<void> => {
    let last: unknown;
    const isTrue = async () => {
      // A frame that is being loaded has no document.
      last = await driver.evaluate(place, expression).catch((error: unknown) => error);
      return last === true;
    };
    await eventually(isTrue, () => `${driver.name}: ${expression} is not true in the ${place}, but ${String(last)}`);
  };
  const pointOf = async (place: Place, selector: string): Promise<Point> =>
    (await driver.evaluate(
      place,
      `(() => { const box = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
        return { x: box.x + box.width / 2, y: box.y + box.height / 2 }; })()`,
    )) as Point;
  /** Until a frame in a separate process has been drawn, the browser gives its presses to the surrounding page. */
  const untilUnderMouse = async ({ x, y }: Point): Promise<void> => {
    let moves = 0;
    const isThere = async () => {
      // Only a moving mouse causes events.
      await driver.moveTo(x + (moves++ % 2), y);
      return (await driver.evaluate("frame", `document.documentElement.matches(":hover")`)) === true;
    };
    await eventually(isThere, () => `${driver.name}: the frame never got the mouse at ${x}, ${y}`);
  };
  const press = async (
    place: Place,
    selector: string,
    { button = "left", withControl = false }: PressOptions = {},
  ): Promise<void> => {
    const { x, y } = await pointOf(place, selector);
    const origin =
      place === "page"
        ? { x: 0, y: 0 }
        : ((await driver.evaluate(
            "page",
            `(({ x, y }) => ({ x, y }))(document.querySelector("iframe").getBoundingClientRect())`,
          )) as Point);
    const at = { x: Math.round(origin.x + x), y: Math.round(origin.y + y) };
    if (place === "frame") await untilUnderMouse(at);
    await driver.pressAt(at.x, at.y, button, withControl);
  };
  const untilTabs = async (count: number): Promise<void> => {
    await eventually(
      async () => (await driver.tabs()) === count,
      async () => `${driver.name}: there are ${await driver.tabs()} tabs, not ${count}`,
    );
  };
  return { ...driver, until, untilTabs, press };
}
