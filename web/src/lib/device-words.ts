// A browser as people would name it, from what it says of itself. A guess, and shown as one.
import { sessionTexts } from "../messages/settings.ts";

const browsers: readonly [RegExp, string][] = [
  [/\bEdg(?:A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bChrome\/|\bCriOS\/|\bHeadlessChrome\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const systems: readonly [RegExp, string][] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

/** "Firefox on macOS"; "Unknown browser" where nothing is recognized. */
export function deviceWords(userAgent: string | null): string {
  const text = sessionTexts();
  const named = (list: readonly [RegExp, string][]) => list.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1];
  const browser = named(browsers) ?? text.unknownBrowser;
  const system = named(systems);
  return system === undefined ? browser : text.on({ browser, system });
}
