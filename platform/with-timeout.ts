// Waits for a promise with a time limit.

/**
 * The promise's result, or the result of `late` where the promise takes longer than `ms`. The work behind the promise
 * goes on, and its later failure is ignored.
 */
export async function withTimeout<Result, Late>(
  ms: number,
  asked: Promise<Result>,
  late: () => Late,
): Promise<Result | Late> {
  const { promise: over, resolve } = Promise.withResolvers<typeof isLate>();
  const timer = setTimeout(() => resolve(isLate), ms);
  try {
    const first = await Promise.race([asked, over]);
    return first === isLate ? late() : first;
  } finally {
    clearTimeout(timer);
  }
}

const isLate: unique symbol = Symbol("late");
