// `bun run dev`: Vite serves the web app with hot reload at the instance's URL, in front of a server process that
// restarts after each change. Both share one embedded database, which stays up.
import { dirname, resolve } from "node:path";

import { startDevServer } from "@plinth/web/dev-server";

import { banner } from "./banner.ts";
import { configOf } from "./config.ts";
import { startEmbeddedPostgres } from "./embedded-postgres.ts";
import { lockInstance } from "./instance-lock.ts";
import { requireFree } from "./open-port.ts";
import { startRestarting } from "./restarting-process.ts";
import { run } from "./run.ts";

const root = dirname(import.meta.dirname);

/** The server process's code; Vite watches `web` itself. */
const folders = ["platform", "contract", "db", "runtime", "domain", "api", "worker", "server"];

await run("standalone", async (start) => {
  const { undo, say, startedAt } = start;
  // Vite has another working directory.
  const environment = { ...start.environment, dataDir: resolve(start.environment.dataDir) };
  const { dataDir, databaseUrl, host, port, publicUrl, contentOrigin } = environment;
  const lock = lockInstance(dataDir);
  undo(() => lock.release());
  requireFree(port, host, "PORT");
  const config = configOf(environment);
  const database = databaseUrl === null ? await startEmbeddedPostgres({ dataDir, log: say }) : null;
  undo(() => database?.stop());
  const server = startRestarting({
    program: ["server/dev-server.ts"],
    firstArgument: "--first",
    directory: root,
    folders,
    environment: {
      ...process.env,
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl ?? database?.url,
      SECRET: config.secret,
      OPERATOR_TOKEN: config.operatorToken,
      TRUSTED_PROXIES: [process.env["TRUSTED_PROXIES"], "127.0.0.1"].filter(Boolean).join(" "),
    },
    prepare: buildRuntime,
    say,
  });
  undo(() => server.stop());
  const web = startDevServer({
    host,
    port,
    publicUrl,
    contentOrigin,
    stripeOrigin: config.billing?.apiBase,
    maxContentBytes: environment.maxContentBytes,
    version: config.version,
    allowedHosts: environment.allowedHosts,
    apiOrigin: () => server.origin(),
  });
  undo(async () => (await web).close());
  const [{ notes }] = await Promise.all([server.first, web]);
  const name = database === null ? "PostgreSQL of DATABASE_URL" : "embedded PostgreSQL 18";
  const ready = banner({ environment, version: `${config.version} (development)`, database: name, startedAt, notes });
  return { ready, ...(database && { exited: database.exited }) };
});

/** Builds the artifact runtime, which the server reads. @throws Error where the build fails; its output is shown */
async function buildRuntime(changed: readonly string[]): Promise<void> {
  if (!changed.some((path) => path.startsWith("runtime/"))) return;
  const build = Bun.spawn([process.execPath, "scripts/build-runtime.ts"], { cwd: root, stdio: ["ignore", 2, 2] });
  if ((await build.exited) !== 0) throw new Error("The artifact runtime was not built.");
}
