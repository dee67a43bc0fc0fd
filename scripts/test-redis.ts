// Owns `bun run test:redis`: the suites named *.redis.test.ts, which take programs that npm does not have: a redis-server
// that lives for this run, in REDIS_URL; nginx, and Debian's lists of packages. Where one is missing it fails.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildRuntime } from "./build-runtime.ts";
import { buildWeb } from "./build-web.ts";
import { install } from "./install.ts";
import { conclude, runSuite, testFiles } from "./suite.ts";

const program = Bun.which("redis-server");
if (program === null) {
  console.error("redis-server is not installed (Debian: apt-get install redis-server).");
  conclude([{ passed: 0, failed: 1 }]);
} else {
  install();
  buildRuntime();
  buildWeb();
  const directory = mkdtempSync(join(tmpdir(), "plinth-redis-"));
  const port = freePort();
  const server = Bun.spawn([program, "--port", `${port}`, "--bind", "127.0.0.1", "--dir", directory, "--save", ""], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  try {
    process.env.REDIS_URL = `redis://127.0.0.1:${port}`;
    await isReady(process.env.REDIS_URL);
    // The pattern replaces bunfig.toml's, which leaves these files out.
    conclude([await runSuite(testFiles(".", "redis"), ["--path-ignore-patterns=none"])]);
  } finally {
    server.kill("SIGTERM");
    await server.exited;
    rmSync(directory, { recursive: true });
  }
}

function freePort(): number {
  const probe = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
  probe.stop(true);
  return probe.port;
}

async function isReady(url: string): Promise<void> {
  const client = new Bun.RedisClient(url, { connectionTimeout: 10_000, maxRetries: 50 });
  await client.ping();
  client.close();
}
