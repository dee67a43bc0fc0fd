// When and how the process ends: in order on SIGINT and SIGTERM, at once on a second signal, and with a clear line when
// the embedded database ends.

/** A signal to a process group arrives here in several ways. */
const sameSignalMs = 1000;

/** The shutdown's time limit, even where the database does not answer, in ms. */
const timeoutMs = 9000;

/** Calls `end` once and exits: 0 after a signal, 1 when the database ended unasked. */
export function onShutdown(end: () => Promise<void>, databaseExited?: Promise<unknown>): void {
  let toldAt: number | null = null;

  const finish = async (code: number): Promise<void> => {
    const ended = end().then(
      () => code,
      () => 1,
    );
    process.exit(await Promise.race([ended, Bun.sleep(timeoutMs).then(() => 1)]));
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
