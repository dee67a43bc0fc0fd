// A Plinth with only its lock and its database, for tests to kill. Its arguments are the data directory and, as JSON,
// server settings; it prints one line of JSON when ready, and shuts down on SIGTERM. On SIGUSR1 it exits without stopping the
// database, on SIGUSR2 it ends by an error.
import { startEmbeddedPostgres } from "./embedded-postgres.ts";
import { lockInstance } from "./instance-lock.ts";

const dataDir = process.argv[2] ?? "";
const lock = lockInstance(dataDir);
const settings = JSON.parse(process.argv[3] ?? "{}") as Record<string, string | number>;
const database = await startEmbeddedPostgres({ dataDir, settings });
process.on("SIGTERM", () => {
  void database.stop().then(() => {
    lock.release();
    process.exit(0);
  });
});
process.on("SIGUSR1", () => process.exit(3));
process.on("SIGUSR2", () => {
  throw new Error("a fault of the program");
});
console.log(JSON.stringify({ url: database.url, pid: database.pid, uid: process.getuid?.() }));
setInterval(() => undefined, 1 << 30);
