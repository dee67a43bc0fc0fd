// `plinth login --device`: the code, the polling, and every way it ends (RFC 8628).
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";

import { clientFailure } from "../failure/failure.ts";
import { line, problem } from "../testing/line.ts";
import { entry, granted, home, instance, never, person, refused, tokens } from "../testing/sign-in.ts";

const pending = refused("authorization_pending");

test("shows the code, polls as it is told, slows down when told to, and keeps the login", async () => {
  const { env, file } = home();
  const { answer, grants } = instance({ token: [pending, refused("slow_down"), pending, granted] });
  const ran = await line(["login", "--device"], { env, answer });
  expect({ code: ran.code, waits: ran.waits }).toEqual({ code: 0, waits: [5, 5, 10, 10] });
  for (const shown of ["http://localhost:3000/device\n", "WDJB-MJHT", "10 minutes"])
    expect(ran.stderr).toContain(shown);
  expect(ran.stderr).not.toContain("device-0123456789");
  expect(Object.fromEntries(grants[0] ?? [])).toMatchObject({
    grant_type: "urn:ietf:params:oauth:grant-type:device_code",
    client_id: "plinth-cli",
    device_code: "device-0123456789",
  });
  expect(entry(file)).toMatchObject({ token: tokens.login, issued: true });
});

test("without an interval it is five seconds, and none is shorter than one", async () => {
  const answers = { token: [pending, granted] };
  const without = instance({ ...answers, device: { interval: undefined } });
  expect((await line(["login", "--device"], { env: home().env, answer: without.answer })).waits).toEqual([5, 5]);
});

describe("it ends", () => {
  const ends: readonly (readonly [string, Parameters<typeof instance>[0], number, string])[] = [
    ["declined", { token: [pending, refused("access_denied")] }, 4, "declined"],
    ["expired, as the server says", { token: [refused("expired_token")] }, 4, "expired"],
    ["expired, as the code said", { token: [pending], device: { expires_in: 30 } }, 4, "expired"],
    ["with a server that knows no such client", { token: [refused("invalid_client")] }, 4, "invalid_client"],
    ["where there is no sign-in by code", { metadata: { device_authorization_endpoint: undefined } }, 9, "by code"],
    ["where the exchange is refused", { exchange: () => problem(403, "forbidden") }, 5, "forbidden"],
  ];
  test.each(ends.map(([how, answers, code, why]) => ({ how, answers, code, why })))(
    "$how",
    async ({ answers, code, why }) => {
      const { env, file } = home();
      const ran = await line(["login", "--device", "--debug"], { env, answer: instance(answers).answer });
      expect({ code: ran.code, kept: existsSync(file) }).toEqual({ code, kept: false });
      expect(ran.error["detail"]).toEqual(expect.stringContaining(why));
      expect(ran.stderr).not.toContain("device-0123456789");
    },
  );
});

test("a network that comes and goes is waited for", async () => {
  const { env, file } = home();
  const away = () => {
    throw clientFailure("unavailable", "away");
  };
  const { answer } = instance({ token: [away, pending, granted] });
  const ran = await line(["login", "--device"], { env, answer });
  expect({ code: ran.code, waits: ran.waits }).toEqual({ code: 0, waits: [5, 10, 10] });
  expect(entry(file)).not.toBeNull();
});

describe("which way is taken by itself", () => {
  const places: readonly (readonly [string, Record<string, string>, NodeJS.Platform, "browser" | "device"])[] = [
    ["a display", { DISPLAY: ":0" }, "linux", "browser"],
    ["Wayland", { DISPLAY: "", WAYLAND_DISPLAY: "wayland-0" }, "linux", "browser"],
    ["no display", { DISPLAY: "" }, "linux", "device"],
    ["SSH with a display", { DISPLAY: ":0", SSH_CONNECTION: "10.0.0.1 1 10.0.0.2 22" }, "linux", "device"],
    ["a terminal over SSH", { SSH_TTY: "/dev/pts/0" }, "darwin", "device"],
    ["a Mac", { DISPLAY: "" }, "darwin", "browser"],
    ["Windows", { DISPLAY: "" }, "win32", "browser"],
  ];
  test.each(places.map(([place, env, platform, means]) => ({ place, env, platform, means })))(
    "$place: $means",
    async ({ env, platform, means }) => {
      const setup = { env: { ...home().env, ...env }, platform };
      const { stdout } = await line(["login", "--dry-run"], setup);
      expect(JSON.parse(stdout)).toMatchObject({ means });
      const { browse } = person();
      const byBrowser = means === "browser" ? { browse, wait: never } : {};
      const ran = await line(["login"], { ...setup, answer: instance().answer, ...byBrowser });
      expect({ code: ran.code, byCode: ran.requests.some(({ url }) => url.endsWith("/device/code")) }).toEqual({
        code: 0,
        byCode: means === "device",
      });
    },
  );
});

test("a code may be shown where prompts are forbidden", async () => {
  const ran = await line(["login", "--device", "--no-input", "--quiet"], {
    env: home().env,
    answer: instance().answer,
  });
  expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: expect.stringContaining("WDJB-MJHT") });
});
