import { describe, expect, test } from "bun:test";
import { frameHeightMax, frameMessageLimits, frameSaveMax, readFrameMessage } from "./frame-messages.ts";

describe("readFrameMessage", () => {
  test("takes each message for what it is", () => {
    for (const message of [
      { type: "plinth:started" },
      { type: "plinth:expired", query: "?tab=2" },
      { type: "plinth:blocked", directive: "img-src", address: "https://cdn.example/a.png" },
      { type: "plinth:error", message: "TypeError: x is not a function", component: "App", line: 3, column: 7 },
      { type: "plinth:error", message: "boom" },
      { type: "plinth:blank", isBlank: true },
      { type: "plinth:height", height: 800 },
      { type: "plinth:open", url: "https://a.example/?q=1" },
      { type: "plinth:copy", text: "copied" },
    ] as const)
      expect(readFrameMessage(message)).toEqual(message);
  });

  test("the query of an expired URL is empty where it is no text or too long", () => {
    for (const query of [undefined, 1, "?".repeat(frameMessageLimits.url + 1)])
      expect(readFrameMessage({ type: "plinth:expired", query })).toEqual({ type: "plinth:expired", query: "" });
  });

  test("takes nothing else", () => {
    for (const data of [null, undefined, 1, "plinth:expired", ["plinth:expired"], {}, { type: "other" }, () => null])
      expect(readFrameMessage(data)).toBeNull();
    for (const height of [0, -1, Number.NaN, "800", undefined])
      expect(readFrameMessage({ type: "plinth:height", height })).toBeNull();
    expect(readFrameMessage({ type: "plinth:blank", isBlank: 1 })).toBeNull();
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

  test("a URL, a file or a text that is too long is refused whole", () => {
    const tooLong = (limit: number) => "x".repeat(limit + 1);
    expect(readFrameMessage({ type: "plinth:open", url: tooLong(frameMessageLimits.url) })).toBeNull();
    expect(readFrameMessage({ type: "plinth:copy", text: tooLong(frameMessageLimits.copied) })).toBeNull();
    const content = new Blob([new Uint8Array(frameSaveMax + 1)]);
    expect(readFrameMessage({ type: "plinth:save", name: "a", content })).toBeNull();
  });

  test("a file is a Blob and has a name of bounded length", () => {
    const content = new Blob(["a,b"]);
    expect(readFrameMessage({ type: "plinth:save", name: "x".repeat(10_000), content, more: 1 })).toEqual({
      type: "plinth:save",
      name: "x".repeat(frameMessageLimits.name),
      content,
    });
    for (const other of ["a,b", { size: 1 }, null, undefined])
      expect(readFrameMessage({ type: "plinth:save", name: "a", content: other })).toBeNull();
    for (const url of ["", 1, null, { toString: () => "https://a.example" }])
      expect(readFrameMessage({ type: "plinth:open", url })).toBeNull();
  });
});
