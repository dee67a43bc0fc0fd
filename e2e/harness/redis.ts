// A separate Redis that a test can pause, kill and start again empty.
import { tmpdir } from "node:os";

import { reservePort } from "@plinth/support/reserved-port";

import { withinHung } from "./process.ts";

export interface RedisServer {
  readonly url: string;
  /** It accepts connections and answers nothing (SIGSTOP). */
  pause(): void;
  resume(): void;
  /** Kills it; its data are lost. */
  end(): Promise<void>;
  /** Starts it again at the same address, empty. */
  start(): Promise<void>;
}

/** @throws if redis-server is not installed */
export async function startRedis(): Promise<RedisServer> {
  const program = Bun.which("redis-server");
  if (program === null) throw new Error("redis-server is not installed (Debian: apt-get install redis-server)");
  const port = reservePort();
  const url = `redis://127.0.0.1:${port}`;
  // It writes nothing into the folder, because it never saves.
  const launch = async () => {
    const started = Bun.spawn([program, "--port", `${port}`, "--bind", "127.0.0.1", "--dir", tmpdir(), "--save", ""], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    const client = new Bun.RedisClient(url, { connectionTimeout: 10_000, maxRetries: 50 });
    await withinHung(client.ping(), () => "Redis did not start");
    client.close();
    return started;
  };
  let server = await launch();
  return {
    url,
    pause: () => server.kill("SIGSTOP"),
    resume: () => server.kill("SIGCONT"),
    async end() {
      server.kill("SIGKILL");
      await server.exited;
    },
    async start() {
      server = await launch();
    },
  };
}
