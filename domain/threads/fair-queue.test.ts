import { describe, expect, setSystemTime, test } from "bun:test";

import { createFairQueue, type FairQueue, type Place, type Work } from "./fair-queue.ts";

const ample = { ofOne: 100, inAll: 1000 };
const longWaits = { request: 60_000, background: 60_000 };

const asked = (owner: string, priority: Work["priority"] = "request", account = owner): Work => ({
  owner,
  account,
  priority,
});

/** Notes who got a place in which order, and holds each place until it is given back. */
function watch(queue: FairQueue) {
  const served: string[] = [];
  const held: (Place & { readonly name: string })[] = [];
  const refused: string[] = [];
  return {
    served,
    refused,
    async take(owner: string, name: string, priority: Work["priority"] = "request", account = owner): Promise<Work> {
      const work = asked(owner, priority, account);
      void queue.take(work).then((place) => {
        if (typeof place === "string") return void refused.push(`${name} ${place}`);
        served.push(name);
        return void held.push({ name, ...place });
      });
      await settled();
      return work;
    },
    /** Gives back the place that was taken first. */
    async leave(): Promise<void> {
      held.shift()?.leave();
      await settled();
    },
    async makeWay(name: string): Promise<void> {
      held.find((place) => place.name === name)?.makeWay();
      await settled();
    },
    async leaveAll(): Promise<void> {
      while (held.length > 0) await this.leave();
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("fair queue", () => {
  test("the queue is full: an owner with fewer entries takes the room of the newest of the longest", async () => {
    const line = watch(createFairQueue({ places: 1, long: 1, waiting: { ofOne: 10, inAll: 4 }, waitMs: longWaits }));
    for (let n = 0; n <= 4; n++) await line.take("a", `a${n}`);
    await line.take("b", "b1");
    expect(line.refused).toEqual(["a4 full"]);
    await line.take("a", "a5");
    expect(line.refused).toEqual(["a4 full", "a5 full"]);
    await line.leaveAll();
    expect(line.served).toEqual(["a0", "a1", "b1", "a2", "a3"]);
  });

  test("one owner's entries: another owner's first entry comes next, not last", async () => {
    const line = watch(createFairQueue({ places: 2, long: 1, waiting: ample, waitMs: longWaits }));
    for (let n = 1; n <= 20; n++) await line.take("a", `a${n}`);
    for (let n = 1; n <= 3; n++) await line.take("b", `b${n}`);
    expect(line.served).toEqual(["a1", "b1"]);
    await line.leaveAll();
    expect(line.served.indexOf("b3")).toBeLessThanOrEqual(6);
    expect(line.served).toHaveLength(23);
  });

  test("owners are served in turns: with a third owner waiting, each gets every third place", async () => {
    const line = watch(createFairQueue({ places: 2, long: 1, waiting: ample, waitMs: longWaits }));
    await line.take("x", "x");
    await line.take("y", "y");
    for (let n = 1; n <= 3; n++) await line.take("a", `a${n}`);
    for (const owner of ["b", "c"]) for (let n = 1; n <= 3; n++) await line.take(owner, `${owner}${n}`);
    await line.leaveAll();
    expect(line.served.slice(2)).toEqual(["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]);
  });

  test.each([
    [2, 1],
    [3, 1],
    [4, 2],
    [8, 4],
  ])("of %d places one owner gets %d", async (places, share) => {
    const line = watch(createFairQueue({ places, long: 1, waiting: ample, waitMs: longWaits }));
    for (let n = 1; n <= 20; n++) await line.take("a", `a${n}`);
    expect(line.served).toHaveLength(share);
    await line.leave();
    expect(line.served).toHaveLength(share + 1);
  });

  test("background work of all owners together has half as many places, beside those of requests", async () => {
    const line = watch(createFairQueue({ places: 2, long: 1, waiting: ample, waitMs: longWaits }));
    for (const owner of ["a", "b"]) await line.take(owner, `${owner} background`, "background");
    expect(line.served).toEqual(["a background"]);
    for (const owner of ["c", "d", "e"]) await line.take(owner, `${owner} request`);
    expect(line.served).toEqual(["a background", "c request", "d request"]);
    await line.leave();
    expect(line.served.slice(3)).toEqual(["b background"]);
    await line.leave();
    expect(line.served.slice(4)).toEqual(["e request"]);
  });

  test("a request does not wait for background work of its owner, nor that for requests, however many there are", async () => {
    const line = watch(createFairQueue({ places: 2, long: 1, waiting: ample, waitMs: longWaits }));
    await line.take("a", "a background", "background");
    for (let n = 1; n <= 10; n++) await line.take("a", `a${n}`);
    expect(line.served).toEqual(["a background", "a1"]);
    await line.take("a", "more background", "background");
    await line.leave();
    expect(line.served).toEqual(["a background", "a1", "more background"]);
  });

  test("background work that a caller of its workspace waits for becomes a request", async () => {
    const queue = createFairQueue({ places: 2, long: 1, waiting: ample, waitMs: longWaits });
    const line = watch(queue);
    for (const name of ["x", "y"]) await line.take(name, name);
    await line.take("z", "z", "background");
    const waits = await line.take("a", "a", "background");
    await line.take("b", "b");
    queue.join(waits, asked("a"));
    await line.leaveAll();
    expect(line.served).toEqual(["x", "y", "z", "a", "b"]);
  });

  test("work that several ask for is done once, at the first turn of any, and takes a place of that one alone", async () => {
    const queue = createFairQueue({ places: 4, long: 1, waiting: ample, waitMs: longWaits });
    const line = watch(queue);
    for (const name of ["a1", "a2"]) await line.take("a", name);
    const shared = await line.take("a", "shared");
    queue.join(shared, asked("a"));
    expect(line.served).toEqual(["a1", "a2"]);
    queue.join(shared, asked("b"));
    await settled();
    expect(line.served).toEqual(["a1", "a2", "shared"]);
    await line.take("a", "a3");
    await line.leave();
    expect([line.served.slice(3), queue.waiting, queue.taken]).toEqual([["a3"], 0, 3]);
  });

  test("who asks for work before it is queued is listed with it, also where the first has no room left", async () => {
    const queue = createFairQueue({ places: 2, long: 1, waiting: { ofOne: 1, inAll: 10 }, waitMs: longWaits });
    const line = watch(queue);
    for (const name of ["a1", "a2"]) await line.take("a", name);
    const shared = asked("a");
    queue.join(shared, asked("b"));
    expect(typeof (await queue.take(shared))).toBe("object");
    expect(queue.waiting).toBe(1);
  });

  test("background work that a stranger waits for takes no place of its owner's requests", async () => {
    const queue = createFairQueue({ places: 4, long: 1, waiting: ample, waitMs: longWaits });
    const line = watch(queue);
    for (const owner of ["x", "y"]) await line.take(owner, owner, "background");
    const waits = await line.take("a", "rendering", "background");
    queue.join(waits, asked("stranger"));
    await settled();
    for (const name of ["a1", "a2", "a3"]) await line.take("a", name);
    expect(line.served).toEqual(["x", "y", "rendering", "a1", "a2"]);
  });

  test.each([
    [2, 1, 1],
    [4, 2, 1],
    [8, 4, 2],
  ])(
    "of %d places an account with many workspaces gets %d for requests, and %d of half as many for background work",
    async (places, requests, background) => {
      const share = requests + background;
      const line = watch(createFairQueue({ places, long: 1, waiting: ample, waitMs: longWaits }));
      for (let n = 1; n <= 10; n++)
        await line.take(`a${n}`, `a${n}`, n % 2 === 0 ? "background" : "request", "account");
      expect(line.served).toHaveLength(share);
      await line.take("b", "b");
      expect(line.served).toHaveLength(share + 1);
      await line.leave();
      expect(line.served).toHaveLength(share + 2);
      await line.leaveAll();
      expect(line.served).toHaveLength(11);
    },
  );

  test("an account with many workspaces fills no more of the queue than one owner", async () => {
    const queue = createFairQueue({ places: 2, long: 1, waiting: { ofOne: 2, inAll: 10 }, waitMs: longWaits });
    const line = watch(queue);
    for (let n = 0; n <= 3; n++) await line.take(`a${n}`, `a${n}`, "request", "account");
    expect([line.served, line.refused]).toEqual([["a0"], ["a3 full"]]);
  });

  test("too many waiting of one owner, or in all, are refused; others still find room", async () => {
    const queue = createFairQueue({ places: 2, long: 1, waiting: { ofOne: 2, inAll: 3 }, waitMs: longWaits });
    const line = watch(queue);
    for (let n = 1; n <= 4; n++) await line.take("a", `a${n}`);
    expect(line.refused).toEqual(["a4 full"]);
    await line.take("b", "b1");
    expect(line.served).toEqual(["a1", "b1"]);
    for (let n = 2; n <= 3; n++) await line.take("b", `b${n}`);
    expect(line.refused).toEqual(["a4 full", "b3 full"]);
    expect(queue.waiting).toBe(3);
    await line.leaveAll();
    expect(line.served.toSorted()).toEqual(["a1", "a2", "a3", "b1", "b2"]);
    expect(queue.waiting).toBe(0);
  });

  test("work that takes long leaves its place to other owners, and not to its own", async () => {
    const queue = createFairQueue({ places: 2, long: 1, waiting: ample, waitMs: longWaits });
    const line = watch(queue);
    for (const name of ["a1", "b1", "a2", "c1", "d1"]) await line.take(name.charAt(0), name);
    expect([line.served, queue.taken]).toEqual([["a1", "b1"], 2]);
    await line.makeWay("a1");
    expect([line.served, queue.taken, queue.long]).toEqual([["a1", "b1", "c1"], 2, 1]);
    // One is enough: the next long one keeps its place.
    await line.makeWay("b1");
    expect([line.served, queue.long]).toEqual([["a1", "b1", "c1"], 1]);
    await line.leaveAll();
    expect([line.served, queue.taken, queue.long]).toEqual([["a1", "b1", "c1", "a2", "d1"], 0, 0]);
  });

  test("for a minute after a long work, its owner's works are served beside the places, as far as there is room for long ones", async () => {
    setSystemTime(new Date("2026-01-01T00:00:00Z"));
    const queue = createFairQueue({ places: 2, long: 1, waiting: ample, waitMs: longWaits });
    const line = watch(queue);
    for (const owner of ["a", "b"]) {
      await line.take(owner, owner);
      await line.makeWay(owner);
      await line.leaveAll();
    }
    for (const name of ["a1", "b1", "c1", "d1", "e1"]) await line.take(name.charAt(0), name);
    expect([line.served.slice(2), queue.taken, queue.long]).toEqual([["a1", "c1", "d1"], 2, 1]);
    await line.leave();
    expect(line.served.slice(5)).toEqual(["b1"]);
    await line.leaveAll();
    setSystemTime(new Date("2026-01-01T00:01:00Z"));
    await line.take("a", "a2");
    expect([queue.taken, queue.long]).toEqual([1, 0]);
    setSystemTime();
  });

  test("the owner of a long work has no more at once than others, and what it lacks is not given to it beside the places", async () => {
    const queue = createFairQueue({ places: 4, long: 4, waiting: ample, waitMs: longWaits });
    const line = watch(queue);
    await line.take("a", "a1");
    await line.makeWay("a1");
    for (const name of ["a2", "a3"]) await line.take("a", name);
    expect([line.served, queue.taken, queue.long]).toEqual([["a1", "a2"], 0, 2]);
  });

  test("an owner has no more than half of the long ones, in the background and by requests together", async () => {
    const queue = createFairQueue({ places: 2, long: 2, waiting: ample, waitMs: longWaits });
    const line = watch(queue);
    await line.take("a", "a1");
    await line.take("a", "a background", "background");
    for (const name of ["a1", "a background"]) await line.makeWay(name);
    expect([queue.taken, queue.long]).toEqual([1, 1]);
    await line.take("b", "b1");
    await line.makeWay("b1");
    expect([queue.taken, queue.long]).toEqual([1, 2]);
  });

  test("an entry whose wait is over is refused and takes no place", async () => {
    const queue = createFairQueue({ places: 2, long: 1, waiting: ample, waitMs: { request: 1, background: 60_000 } });
    const first = await queue.take(asked("a"));
    expect(await queue.take(asked("a"))).toBe("late");
    expect([typeof first, queue.waiting]).toEqual(["object", 0]);
  });

  test("closing refuses the entries that wait; a place is given back once", async () => {
    const queue = createFairQueue({ places: 2, long: 1, waiting: ample, waitMs: longWaits });
    const place = await queue.take(asked("a"));
    const waits = queue.take(asked("a"));
    queue.close();
    expect(await waits).toBe("closed");
    if (typeof place === "string") throw new Error("no place");
    place.leave();
    place.leave();
    const line = watch(queue);
    for (const owner of ["a", "b", "c"]) await line.take(owner, owner);
    expect(line.served).toEqual(["a", "b"]);
  });
});
