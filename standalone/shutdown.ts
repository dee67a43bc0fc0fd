// When and how the process ends: in order on SIGINT and SIGTERM, at once when told again, and with a clear line
// when the embedded database is gone.

/** A signal sent to a whole process group arrives here by more than one way. */
const sameSignalMs = 1000;

/** The process ends within this even where the database answers nothing any more, in ms. */
const patienceMs = 9000;

/** Calls `end` once and exits: 0 when told to end, 1 when the database ended by itself. */
export function onShutdown(end: () => Promise<void>, databaseExited?: Promise<unknown>): void {
  let toldAt: number | null = null;

  const finish = async (code: number): Promise<void> => {
    const ended = end().then(
      () => code,
      () => 1,
    );
    process.exit(await Promise.race([ended, Bun.sleep(patienceMs).then(() => 1)]));
  };

  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (toldAt === null) {
        toldAt = performance.now();
        void finish(0);
      } else if (performance.now() - toldAt > sameSignalMs) {
        process.exit(130);
      }
    });
  }

  void databaseExited?.then(() => {
    if (toldAt !== null) return;
    toldAt = performance.now();
    process.stderr.write("plinth: the embedded PostgreSQL has ended. Start Plinth again; its log is in DATA_DIR.\n");
    void finish(1);
  });
}
