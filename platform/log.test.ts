import { expect, test } from "bun:test";

import { createLog, logSettings } from "./log.ts";
import { framesOf, jsonLine, textLine, withoutSecrets } from "./log-line.ts";

function collected(isTTY = false) {
  const writes: string[] = [];
  const target = { isTTY, writableLength: 0, write: (text: string) => void writes.push(text) };
  return { writes, target, log: createLog(target) };
}

test("lines of one moment are one write, in order, each a JSON object with its time and level", () => {
  const { writes, log } = collected();
  log.served("info", { method: "GET", route: "/api/health", status: 200 });
  log.served("info", { method: "GET", route: "/api/health", status: 304 });
  expect(writes).toEqual([]);
  log.flush();
  log.flush();
  expect(writes).toHaveLength(1);
  const lines = (writes[0] ?? "").trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { time: expect.stringMatching(/^\d{4}-.*Z$/), level: "info", method: "GET", route: "/api/health", status: 200 },
    { time: expect.any(String), level: "info", method: "GET", route: "/api/health", status: 304 },
  ]);
});

test("a fault is written at once, with what was gathered before it", () => {
  const { writes, log } = collected();
  log.served("info", { status: 200 });
  log.write("error", { error: "x" });
  expect(writes.join("").trimEnd().split("\n")).toHaveLength(2);
});

test("what is gathered is written without being told", async () => {
  const { writes, log } = collected();
  log.served("info", { status: 200 });
  for (let tries = 0; writes.length === 0 && tries < 1000; tries++) await Bun.sleep(5);
  expect(writes).toHaveLength(1);
});

test("on a terminal only what went wrong is shown, unless requests are asked for", () => {
  const { writes, log } = collected(true);
  log.served("info", { method: "GET", route: "/", status: 200, ms: 3 });
  log.served("error", { method: "GET", route: "/x", status: 500, ms: 3 });
  log.flush();
  expect(writes.join("")).toMatch(/^\d\d:\d\d:\d\d error GET \/x 500 ms=3\n$/);
  log.configure({ requests: true });
  log.served("info", { method: "GET", route: "/", status: 200, ms: 3 });
  log.flush();
  expect(writes.at(-1)).toMatch(/^\d\d:\d\d:\d\d GET \/ 200 ms=3\n$/);
});

test("a level leaves out what is after it", () => {
  const { writes, log } = collected();
  log.configure({ level: "error" });
  log.write("warn", { message: "w" });
  log.served("info", { status: 200 });
  log.flush();
  expect(writes).toEqual([]);
  log.served("error", { status: 500 });
  expect(writes).toHaveLength(1);
});

test("lines without a reader are dropped and counted, faults are kept", () => {
  const { writes, target, log } = collected();
  target.writableLength = 5_000_000;
  for (let n = 0; n < 3; n++) log.served("info", { n });
  log.write("error", { error: "x" });
  expect(writes).toHaveLength(1);
  target.writableLength = 0;
  log.served("info", { n: 4 });
  log.flush();
  expect(writes.at(-1)).toContain("3 lines were left out");
  expect(writes.at(-1)).toContain('"n":4');
});

test("nothing that a line repeats can act on a terminal or break the line", () => {
  const hostile = "a\n\u001b]0;x\u0007\u009b31m\u202eb\r";
  const json = jsonLine(new Date(0), "error", { error: hostile });
  expect(json).toMatch(/^[\u0020-\u007e]+$/);
  expect(JSON.parse(json)).toMatchObject({ error: hostile });
  expect(textLine(new Date(0), "error", { error: hostile, at: ["at one"] })).toMatch(
    /^(?:[\u0020-\u007e]|\ufffd)+\n {4}at one$/,
  );
});

test("of a stack only its frames are kept, and nothing of a message of several lines", () => {
  const error = new Error("first\nsecond plk_secret");
  error.stack = `Error: ${error.message}\n${Array.from({ length: 9 }, (_, n) => `    at f${n} (file.ts:${n})`).join("\n")}`;
  expect(framesOf(error)).toEqual([0, 1, 2, 3, 4].map((n) => `at f${n} (file.ts:${n})`));
});

test("a foreign message is stripped of addresses, tokens and logins, and shortened", () => {
  const token = `plk_${"a1B2".repeat(9)}xyz`;
  const said = withoutSecrets(
    `550 <ada.l+x@example.com> unknown at smtps://user:hunter22@mail.example.com with ${token} and Bearer abc.def ${"x".repeat(900)}`,
  );
  for (const secret of ["ada", "hunter22", token, "abc.def"]) expect(said).not.toContain(secret);
  expect(said).toContain("550 <<email>> unknown at smtps://<login>@mail.example.com with <token> and bearer <token>");
  expect(said.length).toBeLessThan(520);
});

test("a foreign message is stripped of payment service keys", () => {
  for (const key of ["sk_test_51HabcDEF", "rk_live_0123456789", "whsec_Zm9vYmFy", "sk_live_a_b"])
    expect(withoutSecrets(`Invalid API Key provided: ${key}, of req_1`)).toBe(
      "Invalid API Key provided: <key>, of req_1",
    );
});

test("the environment says the level and whether requests are written down; anything else is named", () => {
  expect(logSettings({})).toEqual({});
  expect(logSettings({ LOG_LEVEL: "warn", LOG_REQUESTS: "0" })).toEqual({ level: "warn", requests: false });
  expect(() => logSettings({ LOG_LEVEL: "loud" })).toThrow("LOG_LEVEL must be one of error, warn, info");
  expect(() => logSettings({ LOG_REQUESTS: "yes" })).toThrow("LOG_REQUESTS must be 0 or 1");
});
