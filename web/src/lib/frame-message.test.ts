import { expect, test } from "bun:test";
import { isExpiredMessage } from "./frame-message.ts";

test("only the one message is heard", () => {
  expect(isExpiredMessage({ type: "plinth:expired" })).toBe(true);
  for (const data of [null, undefined, "plinth:expired", ["plinth:expired"], { type: "other" }, {}]) {
    expect(isExpiredMessage(data)).toBe(false);
  }
});
