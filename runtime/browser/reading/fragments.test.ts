import { expect, test } from "bun:test";
import { decoded } from "./fragments.ts";

test("a fragment that is no encoding is the id it says, and ends no script", () => {
  expect(decoded("#user-content-100%")).toBe("user-content-100%");
  expect(decoded("#caf%C3%A9")).toBe("café");
});
