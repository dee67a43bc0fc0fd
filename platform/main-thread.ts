// Shares out the processor time of the main thread over the works that it is busy with, because a request that takes
// long there stops all others. It must not know what a work is.
import { AsyncLocalStorage } from "node:async_hooks";

/** Processor time of the main thread that a work took, in ms. */
export interface MainThreadUse {
  /** Where several works were under way at once, each is given the same part of the time. */
  readonly sharedMs: number;
  /** While no other work was under way. */
  readonly aloneMs: number;
}

interface Given {
  readonly shared: number;
  readonly alone: number;
}

let underWay = 0;
let lastAt = now();
/** What a work would have been given that was under way since the process began. */
let given: Given = { shared: 0, alone: 0 };

function now(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Gives the time since the last call to the works that were under way. */
function shareOut(): void {
  const at = now();
  const passed = at - lastAt;
  lastAt = at;
  if (underWay === 0) return;
  given = { shared: given.shared + passed / underWay, alone: given.alone + (underWay === 1 ? passed : 0) };
}

const works = new AsyncLocalStorage<MainThreadWork>();

/** The work that the current code belongs to; undefined outside of any. */
export const currentMainThreadWork = (): MainThreadWork | undefined => works.getStore();

/** One work on the main thread, from its making to `end`. The work that it is made in waits until then. */
export class MainThreadWork {
  readonly #within = works.getStore();
  #begun = given;
  #sum = { shared: 0, alone: 0 };
  #waits = 0;
  #isOver = false;

  constructor() {
    shareOut();
    this.#enter();
    this.#within?.wait();
  }

  /** Runs code as a part of the work. */
  run<Result>(part: () => Result): Result {
    return works.run(this, part);
  }

  /** The work waits for another process, or for other works that are counted apart. Waits may overlap. */
  wait(): void {
    if (this.#waits++ === 0 && !this.#isOver) this.#leave();
  }

  /** One of the waits is over. */
  resume(): void {
    if (--this.#waits > 0 || this.#isOver) return;
    shareOut();
    this.#enter();
  }

  /** What it took. Called once. */
  end(): MainThreadUse {
    if (this.#waits === 0) this.#leave();
    this.#isOver = true;
    this.#within?.resume();
    return { sharedMs: this.#sum.shared, aloneMs: this.#sum.alone };
  }

  #enter(): void {
    underWay++;
    this.#begun = given;
  }

  #leave(): void {
    shareOut();
    underWay--;
    this.#sum = {
      shared: this.#sum.shared + given.shared - this.#begun.shared,
      alone: this.#sum.alone + given.alone - this.#begun.alone,
    };
  }
}

/** Waits for what is done elsewhere; the current work does nothing until then. */
export async function offMainThread<Result>(elsewhere: Promise<Result>): Promise<Result> {
  const work = works.getStore();
  work?.wait();
  try {
    return await elsewhere;
  } finally {
    work?.resume();
  }
}
