// The web app as a separate process in front of an API elsewhere. Knows only its start command and environment.
import { join } from "node:path";
import { reservePort } from "@plinth/support/reserved-port";

import { until } from "./events.ts";
import { cleanEnvironment, repository } from "./process.ts";

export interface Web {
  readonly origin: string;
  stop(): Promise<void>;
}

/** Starts it, at `port` if given, and waits until it forwards requests to the API, which must be running. */
export async function startWeb(apiOrigin: string, port?: number): Promise<Web> {
  const chosen = port ?? reservePort();
  const origin = `http://127.0.0.1:${chosen}`;
  const child = Bun.spawn([process.execPath, join(repository, "server/web.ts")], {
    env: { ...cleanEnvironment(), PORT: String(chosen), API_ORIGIN: apiOrigin, PUBLIC_URL: origin },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  const stop = async () => {
    child.kill("SIGTERM");
    await child.exited;
  };
  try {
    await until(() => {
      if (child.exitCode !== null) throw new Error(`the web app ended (${child.exitCode})`);
      return fetch(`${origin}/api/health`).then(
        ({ ok }) => ok,
        () => false, // not listening yet
      );
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { origin, stop };
}
