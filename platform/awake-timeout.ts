// A time limit for an answer from elsewhere that leaves out the time in which this process was busy itself: a timer
// runs ahead of the socket that was readable in the meantime, and the answer would count as late.

/** The event loop has to turn so often before the time is over. */
const turns = 10;

/** Calls `late` once, unless it is cleared in time. Time in which the event loop stood still counts as one turn. */
export function awakeTimeout(ms: number, late: () => void): { readonly clear: () => void } {
  let left = turns;
  const timer = setInterval(() => {
    if (--left > 0) return;
    clearInterval(timer);
    late();
  }, ms / turns);
  return { clear: () => clearInterval(timer) };
}
