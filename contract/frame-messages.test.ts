import { describe, expect, test } from "bun:test";
import { frameHeightMax, frameMessageLimits, readFrameMessage } from "./frame-messages.ts";

describe("readFrameMessage", () => {
  test("takes each message for what it is", () => {
    for (const message of [
      { type: "plinth:expired" },
      { type: "plinth:blocked", directive: "img-src", address: "https://cdn.example/a.png" },
      { type: "plinth:error", message: "TypeError: x is not a function", component: "App", line: 3, column: 7 },
      { type: "plinth:error", message: "boom" },
      { type: "plinth:height", height: 800 },
    ] as const)
      expect(readFrameMessage(message)).toEqual(message);
  });

  test("takes nothing else", () => {
    for (const data of [null, undefined, 1, "plinth:expired", ["plinth:expired"], {}, { type: "other" }, () => null])
      expect(readFrameMessage(data)).toBeNull();
    for (const height of [0, -1, Number.NaN, "800", undefined])
      expect(readFrameMessage({ type: "plinth:height", height })).toBeNull();
  });

  test("cuts what is too long, and leaves out what is of another kind", () => {
    const long = "x".repeat(100_000);
    expect(readFrameMessage({ type: "plinth:blocked", directive: long, address: long, more: long })).toEqual({
      type: "plinth:blocked",
      directive: "x".repeat(frameMessageLimits.directive),
      address: "x".repeat(frameMessageLimits.address),
    });
    expect(readFrameMessage({ type: "plinth:error", message: {}, component: 1, line: 0.5, column: -1 })).toEqual({
      type: "plinth:error",
      message: "",
    });
    expect(readFrameMessage({ type: "plinth:height", height: Infinity })).toEqual({
      type: "plinth:height",
      height: frameHeightMax,
    });
  });
});
