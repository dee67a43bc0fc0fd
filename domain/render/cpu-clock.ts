// The clock that time limits of hostile text go by: a busy machine does not put it forward.

/** Processor time of this process, all its threads together, in ms. */
export function cpuClock(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
