// Three processes with the real leases and memory, on simulated time, clocks, network and database: every read is compared with
// the writes that were answered before it began. One schedule is repeatable from its numbers.
import type { LeaseHost, Leases } from "../leases.ts";
import { times, type Clock, type Holder, type Link, type Message } from "../protocol.ts";

/** The modules under test: the real ones, or a copy with one step left out. */
export interface Program {
  readonly createLeases: <Row>(options: {
    clock: Clock;
    holds: boolean;
    holders: (except: readonly string[]) => Promise<readonly Holder[]>;
    onError: (error: unknown) => void;
  }) => Leases<Row> & LeaseHost;
}

export interface Fault {
  /** In ms from the beginning. */
  readonly at: number;
  /** `late`: the connection carries nothing for a while. `cut`: it is lost, and its process learns of that later. */
  readonly kind: "pause" | "kill" | "cut" | "late" | "restart";
  readonly process: number;
  readonly ms: number;
}

export interface Schedule {
  readonly seed: number;
  /** How fast each process's clock is. */
  readonly rates: readonly number[];
  readonly faults: readonly Fault[];
  readonly writes: readonly { readonly at: number; readonly process: number; readonly artifact: number }[];
}

export interface Outcome {
  /** Reads that gave what was before an answered write. */
  readonly old: readonly string[];
  readonly fromMemory: number;
  readonly answered: number;
  /** The longest that a write of a running process waited after its commit, in ms. */
  readonly longestWait: number;
}

export const processes = 3;
export const artifacts = 2;
export const horizonMs = 7000;
/** A clock is so much slower or faster at most. */
export const slowest = 0.92;
export const fastest = 1.08;
/** Between two reads of one artifact in one process, in ms. */
const readEveryMs = 60;

interface Task {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/** One connection for leases, as its two ends see it. */
interface Session {
  readonly id: string;
  isOpen: boolean;
  /** Nothing arrives before this time. */
  carriesFrom: number;
  lastSent: number;
  lastReceived: number;
}

interface Process {
  readonly number: number;
  readonly rate: number;
  life: number;
  isAlive: boolean;
  pausedUntil: number;
  lastPause: number;
  deferred: { readonly run: () => void; readonly isTimer: boolean }[];
  session: Session | null;
  leases: (Leases<number> & LeaseHost) | null;
  /** Answers that were made of rows in memory. */
  readonly made: Map<string, number>;
}

export async function simulate({ createLeases }: Program, schedule: Schedule): Promise<Outcome> {
  const random = randomFrom(schedule.seed);
  const between = (from: number, to: number) => from + random() * (to - from);
  const tasks: Task[] = [];
  let now = 0;
  let order = 0;
  const at = (time: number, run: () => void) => {
    const task = { at: Math.max(time, now), order: order++, run };
    let low = 0;
    let high = tasks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = tasks[middle];
      if (other !== undefined && (other.at < task.at || (other.at === task.at && other.order < task.order)))
        low = middle + 1;
      else high = middle;
    }
    tasks.splice(low, 0, task);
  };

  // The database.
  const versions = Array.from({ length: artifacts }, () => 1);
  const holders = new Map<string, { ended: boolean; waitsMs: number }>();
  const sessions = new Map<string, { session: Session; process: Process; life: number }>();
  let downUntil = 0;
  /** Mostly short, sometimes long. */
  const latency = () => (random() < 0.08 ? between(5, 900) : between(0.1, 2));

  // The outcome.
  const answered = Array.from({ length: artifacts }, () => 1);
  /** When each version was committed. */
  const committed: number[][] = Array.from({ length: artifacts }, () => [0, 0]);
  const old: string[] = [];
  let [fromMemory, answers, longestWait] = [0, 0, 0];

  const all: Process[] = Array.from({ length: processes }, (_, number) => ({
    number,
    rate: schedule.rates[number] ?? 1,
    life: 0,
    isAlive: false,
    pausedUntil: 0,
    lastPause: -Infinity,
    deferred: [],
    session: null,
    leases: null,
    made: new Map(),
  }));

  /** Runs in the process, when it is not stopped and if it has not been killed since. */
  const inProcess = (one: Process, life: number, isTimer: boolean, run: () => void) => {
    if (!one.isAlive || one.life !== life) return;
    if (now < one.pausedUntil) one.deferred.push({ run: () => inProcess(one, life, isTimer, run), isTimer });
    else run();
  };

  const clockOf = (one: Process): Clock => {
    const { life } = one;
    return {
      now: () => 1000 * one.number + one.rate * now,
      after(ms, call) {
        let isCancelled = false;
        at(now + ms / one.rate, () => inProcess(one, life, true, () => isCancelled || call()));
        return () => void (isCancelled = true);
      },
    };
  };

  /** A statement over the pool: it rejects where the database is away or goes away. */
  const ask = <Value>(one: Process, execute: () => Value): Promise<Value> => {
    const { life } = one;
    const { promise, resolve, reject } = Promise.withResolvers<Value>();
    promise.catch(() => undefined);
    const fail = () => inProcess(one, life, false, () => reject(new Error("the database is away")));
    at(now + latency(), () => {
      if (now < downUntil) return at(now + 1, fail);
      const value = execute();
      const executedAt = now;
      at(now + latency(), () => {
        if (now < downUntil || lastRestart > executedAt) fail();
        else inProcess(one, life, false, () => resolve(value));
      });
    });
    return promise;
  };
  let lastRestart = -Infinity;

  /** Gives something to the process over its connection, in order. */
  const deliver = (session: Session, one: Process, life: number, run: () => void) => {
    session.lastReceived = Math.max(session.lastReceived, now + latency(), session.carriesFrom);
    at(session.lastReceived, () => session.isOpen && inProcess(one, life, false, run));
  };

  const linkOf = (session: Session, one: Process): Link => {
    const { life } = one;
    const statement = <Value>(...steps: (() => Value)[]): Promise<Value> => {
      const { promise, resolve, reject } = Promise.withResolvers<Value>();
      promise.catch(() => undefined);
      for (const [n, step] of steps.entries()) {
        session.lastSent = Math.max(session.lastSent, now + latency(), session.carriesFrom);
        at(session.lastSent, () => {
          if (!session.isOpen) return;
          const value = step();
          if (n === steps.length - 1) deliver(session, one, life, () => resolve(value));
        });
      }
      // The client gives up by itself.
      at(now + 2000, () => inProcess(one, life, true, () => reject(new Error("timeout"))));
      return promise;
    };
    return {
      id: session.id,
      register: (earlier) =>
        statement<void>(
          () => earlier.forEach((id) => holders.delete(id)),
          () => void holders.set(session.id, { ended: false, waitsMs: 1900 }),
        ),
      isRegistered: () => statement(() => holders.get(session.id)?.ended === false),
      announce: (message: Message) =>
        statement(() => {
          const others = [...holders].filter(([id]) => id !== session.id);
          if (others.length > 0)
            for (const other of sessions.values())
              if (other.session !== session && other.session.isOpen)
                deliver(other.session, other.process, other.life, () => {
                  const link = links.get(other.session.id);
                  if (link !== undefined) other.process.leases?.changed(link, session.id, message);
                });
          return others.map(([id, { waitsMs }]) => ({ id, protocol: 1, waitsMs }));
        }),
      confirm: (writer, number) =>
        statement(() => {
          const to = sessions.get(writer);
          if (to !== undefined)
            deliver(to.session, to.process, to.life, () => to.process.leases?.confirmed(number, session.id));
        }),
      refuseRenewal: (ids) =>
        statement(() => {
          for (const id of ids) {
            const holder = holders.get(id);
            if (holder !== undefined) holder.ended = true;
          }
        }),
      remove: (ids) => statement(() => ids.forEach((id) => holders.get(id)?.ended === true && holders.delete(id))),
    };
  };
  const links = new Map<string, Link>();
  let lastSession = 0;

  /** The connection as `lasting-connection.ts` keeps it. */
  const connect = (one: Process, life: number) => {
    inProcess(one, life, true, () => {
      if (now < downUntil) return at(now + 200, () => connect(one, life));
      const session: Session = {
        id: `holder-${++lastSession}`,
        isOpen: true,
        carriesFrom: 0,
        lastSent: 0,
        lastReceived: 0,
      };
      one.session = session;
      sessions.set(session.id, { session, process: one, life });
      const link = linkOf(session, one);
      links.set(session.id, link);
      one.leases?.hold(link).catch(() => lose(one, life, session, 0));
    });
  };

  /** The database's end is gone now; the process learns of it after so many ms. */
  const lose = (one: Process, life: number, session: Session, noticedAfter: number) => {
    session.isOpen = false;
    sessions.delete(session.id);
    at(now + noticedAfter, () =>
      inProcess(one, life, false, () => {
        const link = links.get(session.id);
        if (link === undefined) return;
        links.delete(session.id);
        one.leases?.lost(link);
        at(now + between(100, 400), () => connect(one, life));
      }),
    );
  };

  const start = (one: Process) => {
    one.life++;
    one.isAlive = true;
    one.deferred = [];
    one.made.clear();
    one.pausedUntil = 0;
    const { life } = one;
    one.leases = createLeases<number>({
      clock: clockOf(one),
      holds: true,
      holders: (except) =>
        ask(one, () =>
          [...holders]
            .filter(([id]) => !except.includes(id))
            .map(([id, { waitsMs }]) => ({ id, protocol: 1, waitsMs })),
        ),
      onError: () => undefined,
    });
    connect(one, life);
  };

  const read = (one: Process, artifact: number) => {
    const begunAt = now;
    const must = answered[artifact] ?? 0;
    const judge = (version: number, how: string) => {
      const says = `process ${one.number} gave version ${version} of ${artifact} ${how} at ${begunAt}`;
      if (version < must) old.push(`${says}, after ${must} was answered`);
      // Also where no process tells of it, because its own was killed.
      const next = committed[artifact]?.[version + 1];
      if (next !== undefined && begunAt > next + times.answers / slowest)
        old.push(`${says}, when the next one was committed at ${next}`);
    };
    inProcess(one, one.life, false, () => {
      const { memory } = one.leases as Leases<number>;
      const name = `a${artifact}`;
      // An answer that was made of a row, as the API keeps it before its router.
      const made = one.made.get(name);
      if (made !== undefined && memory.holds(name, made)) {
        fromMemory++;
        judge(made, "as it was made of a row");
        return;
      }
      const row = memory.find(name);
      if (row !== null) {
        fromMemory++;
        one.made.set(name, row);
        judge(row, "from memory");
        return;
      }
      load(one, artifact, (version) => judge(version, "from the database"));
    });
  };

  const load = (one: Process, artifact: number, then: (version: number) => void) => {
    const name = `a${artifact}`;
    const reading = one.leases?.memory.begin();
    void ask(one, () => versions[artifact] ?? 0)
      .then((row) => {
        reading?.keep(name, { artifactId: name, row, versions: String(row), weight: 1 });
        then(row);
      })
      .catch(() => undefined)
      .finally(() => reading?.end());
  };

  /** Rows in use are compared, and loaded where they have changed. */
  const renew = (one: Process) => {
    inProcess(one, one.life, true, () => {
      const due = one.leases?.memory.due() ?? [];
      const reading = due.length === 0 ? null : one.leases?.memory.begin();
      if (reading === null || reading === undefined) return;
      const artifactOf = (name: string) => Number(name.slice(1));
      void ask(one, () => due.filter((row) => row.versions === String(versions[artifactOf(row.name)])))
        .then((unchanged) => {
          for (const row of due)
            if (unchanged.includes(row)) reading.confirm(row.name, row.row);
            else load(one, artifactOf(row.name), () => undefined);
        })
        .catch(() => undefined)
        .finally(() => reading.end());
    });
  };

  const write = (one: Process, artifact: number) => {
    inProcess(one, one.life, false, () => {
      const { leases } = one;
      const commit = () => {
        const version = (versions[artifact] ?? 0) + 1;
        versions[artifact] = version;
        committed[artifact]?.push(now);
        return version;
      };
      void ask(one, commit).then(
        async (version) => {
          const committedAt = now;
          await leases?.tell([`a${artifact}`]);
          if (one.leases !== leases) return;
          answered[artifact] = Math.max(answered[artifact] ?? 0, version);
          answers++;
          if (one.lastPause < committedAt) longestWait = Math.max(longestWait, (now - committedAt) * one.rate);
        },
        () => undefined,
      );
    });
  };

  const faults: Record<Fault["kind"], (one: Process, ms: number) => void> = {
    pause(one, ms) {
      if (!one.isAlive || now < one.pausedUntil) return;
      one.pausedUntil = now + ms;
      one.lastPause = now + ms;
      const { life } = one;
      at(one.pausedUntil, () => {
        if (one.life !== life) return;
        // What came by the network stays in order, and so do the timers; which is first is chance.
        const timers = one.deferred.filter(({ isTimer }) => isTimer);
        const others = one.deferred.filter(({ isTimer }) => !isTimer);
        one.deferred = [];
        while (timers.length + others.length > 0) {
          const from = others.length === 0 || (timers.length > 0 && random() < 0.5) ? timers : others;
          const task = from.shift();
          if (task !== undefined) at(now, task.run);
        }
      });
    },
    kill(one, ms) {
      if (!one.isAlive) return;
      one.isAlive = false;
      if (one.session !== null) {
        one.session.isOpen = false;
        sessions.delete(one.session.id);
      }
      one.leases = null;
      at(now + ms, () => start(one));
    },
    cut(one, ms) {
      if (one.session?.isOpen === true) lose(one, one.life, one.session, ms);
    },
    late(one, ms) {
      if (one.session !== null) one.session.carriesFrom = now + ms;
    },
    restart(_one, ms) {
      lastRestart = now;
      downUntil = now + Math.min(ms, 1500);
      for (const one of all)
        if (one.session?.isOpen === true) lose(one, one.life, one.session, random() < 0.7 ? 1 : between(1, ms));
    },
  };

  for (const one of all) start(one);
  for (const fault of schedule.faults) {
    const one = all[fault.process % processes];
    if (one !== undefined) at(fault.at, () => faults[fault.kind](one, fault.ms));
  }
  for (const { at: time, process, artifact } of schedule.writes) {
    const one = all[process % processes];
    if (one !== undefined) at(time, () => write(one, artifact % artifacts));
  }
  for (const one of all)
    for (let artifact = 0; artifact < artifacts; artifact++)
      for (let time = between(0, readEveryMs); time < horizonMs; time += between(readEveryMs / 2, 1.5 * readEveryMs))
        at(time, () => read(one, artifact));
  for (const one of all)
    for (let time = times.looksForRows; time < horizonMs; time += times.looksForRows) at(time, () => renew(one));

  for (let task = tasks.shift(); task !== undefined && task.at < horizonMs; task = tasks.shift()) {
    now = task.at;
    task.run();
    await settled();
  }
  return { old, fromMemory, answered: answers, longestWait };
}

/** Everything that follows from the last event has happened: more turns than any chain of promises here has. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await Promise.resolve();
}

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
