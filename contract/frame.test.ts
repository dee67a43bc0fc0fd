import { expect, test } from "bun:test";
import { FRAME_SANDBOX, frameAttributes } from "./frame.ts";

test("the sandbox of each type is exactly the documented one", () => {
  const active = "allow-scripts allow-forms allow-modals allow-pointer-lock";
  const attributes = (sandbox: string, allow: string) => ({
    sandbox,
    allow,
    referrerpolicy: "no-referrer" as const,
  });
  expect(frameAttributes("html")).toEqual(attributes(active, "fullscreen *; gamepad *"));
  expect(frameAttributes("jsx")).toEqual(attributes(active, "fullscreen *; gamepad *"));
  expect(frameAttributes("md")).toEqual(attributes("allow-scripts", ""));
});

test("no type may reach its origin, the page around it, another tab, or the disk", () => {
  const tokens = Object.values(FRAME_SANDBOX).flat().join(" ");
  expect(tokens).not.toMatch(/allow-same-origin|allow-popups|allow-top-navigation|allow-downloads/);
});
