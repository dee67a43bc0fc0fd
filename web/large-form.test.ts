// Forms of more than 16 KB are parsed for signed-in visitors only.
import { beforeAll, beforeEach, expect, test } from "bun:test";
import { createWebHandler, type WebHandler } from "./handler.ts";
import { ensureBuilt } from "./test/built.ts";
import { artifact, profile, project, standInApi } from "./test/stand-in-api.ts";

const publicUrl = "https://plinth.example";
const api = standInApi({ project: project(), artifacts: [artifact({ slug: "report" })], profile: profile() });
let web: WebHandler;

beforeAll(async () => {
  await ensureBuilt();
  web = await createWebHandler({ api: api.fetch, publicUrl, version: "1" });
}, 120_000);
beforeEach(() => {
  api.asked.length = 0;
});

/** Sends a form that says how much of it was read. */
async function post(path: string, bytes: number, cookie = "") {
  let read = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (read === bytes) return controller.close();
        const chunk = new Uint8Array(Math.min(4096, bytes - read)).fill(0x61);
        read += chunk.length;
        controller.enqueue(chunk);
      },
    },
    { highWaterMark: 0 },
  );
  const headers = {
    accept: "text/html",
    origin: publicUrl,
    "content-type": "application/x-www-form-urlencoded",
    "content-length": String(bytes),
    cookie,
  };
  const answer = await web(new Request(publicUrl + path, { method: "POST", headers, body }), {
    clientAddress: "203.0.113.9",
  });
  return { status: answer.status, location: answer.headers.get("location"), read };
}

const rename = "/settings/account?/rename";
const edit = "/ada/notes/report/edit?/save";
const session = "__Host-plinth_session=good";

test("a large form of a stranger is not read: they are led to signing in, or refused", async () => {
  const ended = "__Host-plinth_session=ended";
  for (const [path, cookie, status] of [
    [rename, "", 303],
    [rename, ended, 303],
    [edit, "", 303],
    [edit, ended, 403],
  ] as const) {
    const answer = await post(path, 20_000, cookie);
    expect([path, answer.status, answer.read]).toEqual([path, status, 0]);
    if (status === 303) expect(answer.location).toStartWith("/login");
  }
});

test("a small form of a stranger and a large one of a person are read", async () => {
  expect((await post(rename, 10_000)).read).toBe(10_000);
  expect((await post(rename, 20_000, session)).read).toBe(20_000);
});

test("signing out reads no large form", async () => {
  expect((await post("/logout", 20_000, session)).read).toBe(0);
});
