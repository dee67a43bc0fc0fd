import { expect, spyOn, test } from "bun:test";

import { log } from "@plinth/platform/log";

import { ObjectTrouble } from "./storage/object-trouble.ts";
import { emit } from "./telemetry.ts";
import { writeLog } from "./telemetry-log.ts";

test("object storage that is away is one line when it begins and one when it is over, however many requests fail", () => {
  const written = spyOn(log, "write").mockImplementation(() => undefined);
  const stop = writeLog();
  emit("object", { action: "get", trouble: null });
  for (let n = 0; n < 50; n++) emit("object", { action: "get", trouble: new ObjectTrouble("ConnectionRefused") });
  emit("object", { action: "put", trouble: null });
  emit("object", { action: "get", trouble: null });
  stop();
  const lines = written.mock.calls.map(([level, fields]) => [level, fields]);
  written.mockRestore();
  expect(lines).toEqual([
    [
      "error",
      expect.objectContaining({
        objectStorage: "away",
        failedAttempts: 1,
        error: "ObjectTrouble: Object storage did not answer as it should (ConnectionRefused)",
      }),
    ],
    ["info", { objectStorage: "well", failedAttempts: 50, awaySeconds: expect.any(Number) }],
  ]);
});
