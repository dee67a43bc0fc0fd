// Whether the machine has a core to spare. It decides when postponed screenshots are tried again, and nothing else.
import { availableParallelism, loadavg } from "node:os";

/** Over the last minute fewer threads wanted to run than there are cores. */
export const isQuiet = (): boolean => (loadavg()[0] ?? 0) < availableParallelism();
