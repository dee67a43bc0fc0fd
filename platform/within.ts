// Waiting for so long and no longer.

/**
 * What the promise gives, or what `late` does where that takes longer than `ms`. What was asked goes on all the same, and
 * may fail unheard.
 */
export async function within<Result, Late>(
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
