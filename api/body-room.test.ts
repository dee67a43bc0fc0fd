// The memory for large bodies: limited in total, shared fairly, and no caller waits long.
import { expect, test } from "bun:test";
import { AppError } from "@plinth/contract/errors";

import { createBodyRoom, type BodyRoom } from "./body-room.ts";

const bounds = { bytes: 100, bytesOfOne: 50, waiting: { ofOne: 3, inAll: 4 }, waitMs: 60_000, promptMs: 60_000 };

/** Reserves memory; returns whether that has succeeded yet. */
function taking(room: BodyRoom, key: string, bytes: number) {
  const body = room.enter(key, () => expect.unreachable());
  const place = { isIn: false, leave: body.leave, arrived: body.arrived };
  const done = body.take(bytes).then(() => {
    place.isIn = true;
  });
  return Object.assign(place, { done });
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("one caller never holds more than its share, and does not stop another", async () => {
  const room = createBodyRoom(bounds);
  const [first, second, other] = [taking(room, "a", 30), taking(room, "a", 30), taking(room, "b", 50)];
  await settled();
  expect([first.isIn, second.isIn, other.isIn]).toEqual([true, false, true]);
  first.leave();
  await second.done;
  expect(second.isIn).toBe(true);
});

test("without bounds given one caller may hold 16 MiB and all together 64", async () => {
  const room = createBodyRoom();
  const mib = 1024 * 1024;
  const own = [taking(room, "a", 16 * mib), taking(room, "a", 1)];
  const others = ["b", "c", "d"].map((key) => taking(room, key, 16 * mib));
  const last = taking(room, "e", 1);
  await settled();
  expect([...own, ...others, last].map(({ isIn }) => isIn)).toEqual([true, false, true, true, true, false]);
  for (const { leave } of [...own, ...others]) leave();
  await Promise.all([last.done, own[1]?.done]);
});

test("bodies of all callers together stay within the bound, and a large one is not overtaken", async () => {
  const room = createBodyRoom(bounds);
  const [a, b] = [taking(room, "a", 50), taking(room, "b", 40)];
  const [large, small] = [taking(room, "c", 50), taking(room, "d", 10)];
  await settled();
  expect([a.isIn, b.isIn, large.isIn, small.isIn]).toEqual([true, true, false, false]);
  b.leave();
  b.leave();
  await settled();
  expect([large.isIn, small.isIn]).toEqual([true, false]);
  a.leave();
  await small.done;
});

test("a body larger than every bound is read where it is the only one", async () => {
  const room = createBodyRoom(bounds);
  const huge = taking(room, "a", 1000);
  const next = taking(room, "b", 1);
  await settled();
  expect([huge.isIn, next.isIn]).toEqual([true, false]);
  huge.leave();
  await next.done;
});

test("no room in time, and too many that wait, are 503 with a time to wait", async () => {
  const room = createBodyRoom({ ...bounds, waitMs: 1 });
  const a = taking(room, "a", 50);
  await settled();
  const late = await taking(room, "a", 50).done.catch((error: unknown) => error);
  expect(late).toBeInstanceOf(AppError);
  expect(late).toMatchObject({ code: "unavailable", status: 503, extra: { retryAfterSeconds: 5 } });
  const full = createBodyRoom({ ...bounds, waiting: { ofOne: 1, inAll: 0 } });
  expect(taking(full, "a", 1).done).rejects.toThrow("Too many large requests");
  a.leave();
  await taking(room, "a", 50).done;
});

test("one caller's waiting bodies do not keep another's from waiting", async () => {
  const room = createBodyRoom(bounds);
  const first = taking(room, "a", 50);
  const own = [1, 2, 3].map(() => taking(room, "a", 50));
  expect(taking(room, "a", 50).done).rejects.toThrow("Too many large requests");
  const other = taking(room, "b", 50);
  await settled();
  expect([first.isIn, own.some(({ isIn }) => isIn), other.isIn]).toEqual([true, false, true]);
  for (const one of [first, ...own]) {
    await one.done;
    one.leave();
  }
});

test("bodies that fill the room with their beginnings end one after the other, by their order", async () => {
  const room = createBodyRoom({ ...bounds, bytesOfOne: 100 });
  const bodies = ["a", "b", "c", "d"].map((key) => room.enter(key, () => expect.unreachable()));
  for (const body of bodies) await body.take(25);
  expect(room.heldBytes).toBe(100);
  const whole: number[] = [];
  await Promise.all(
    bodies.map(async (body, n) => {
      await body.take(25);
      body.arrived();
      whole.push(n);
      expect(room.heldBytes).toBeLessThanOrEqual(100 + 50);
      await settled();
      body.leave();
    }),
  );
  expect(whole).toEqual([0, 1, 2, 3]);
  expect(room.heldBytes).toBe(0);
});

test("a body beyond the bound is the only one until it leaves, though all of it has arrived", async () => {
  const room = createBodyRoom(bounds);
  const huge = taking(room, "a", 1000);
  await huge.done;
  huge.arrived();
  const next = taking(room, "b", 1);
  await settled();
  expect(next.isIn).toBe(false);
  huge.leave();
  await next.done;
});

test("slow bodies are stopped where others wait for the room they hold, the largest first, and no more than needed", async () => {
  const room = createBodyRoom({ ...bounds, promptMs: 1 });
  const stopped: string[] = [];
  const slow = (key: string) => {
    const body = room.enter(key, (refusal) => {
      stopped.push(`${key} ${refusal.code}`);
      body.leave();
    });
    return body;
  };
  const [small, large] = [slow("a"), slow("b")];
  await small.take(20);
  await large.take(50);
  const whole = slow("c");
  await whole.take(30);
  whole.arrived();
  await Bun.sleep(20);
  // No body waits for its memory.
  expect(stopped).toEqual([]);
  await room.enter("d", () => expect.unreachable()).take(40);
  expect(stopped).toEqual(["b unavailable"]);
  expect(room.heldBytes).toBe(20 + 30 + 40);
});

test("a caller over its bytes a second waits before its next body; another caller does not", async () => {
  const room = createBodyRoom({ ...bounds, bytes: 100, bytesOfOne: 100, bytesASecondOfOne: 1000, waitMs: 60_000 });
  const take = async (key: string) => {
    const place = room.enter(key, () => undefined);
    await place.take(100);
    place.arrived();
    return place;
  };
  (await take("a")).leave();
  expect(room.heldBytes).toBe(0);
  const started = performance.now();
  const again = take("a").then((place) => {
    place.leave();
    return performance.now() - started;
  });
  (await take("b")).leave();
  // 100 bytes at 1000 a second; timers may be a millisecond early.
  expect(await again).toBeGreaterThanOrEqual(98);
});
