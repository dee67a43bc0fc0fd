// The process of an instance, and what tests need around one: ports, folders, a bound on waiting. Knows the start
// command and its environment alone.
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reservePort } from "@plinth/doubles/reserved-port";

export const repository = join(import.meta.dir, "../..");

/** How long anything may take before it counts as hung; not a measure of speed. */
export const hung = 120_000;

/** What an instance is told that shall take no pictures: they take a second each, and a browser. */
export const withoutScreenshots = { CHROMIUM_PATH: "/nowhere/chromium" } as const;
/** What one is told that shall take them: by the browser that tests use, else whichever is found. */
export const withScreenshots = { CHROMIUM_PATH: process.env["CHROMIUM_PATH"] ?? "" } as const;

export interface Child {
  readonly process: Bun.Subprocess<"ignore", "pipe", "pipe">;
  stderr(): string;
}

/** Characters of what a process has written that are kept, the latest ones. */
const kept = 32_000_000;

/** Starts an instance and waits for nothing. */
export const launch = (dataDir: string, env: Readonly<Record<string, string>>): Child =>
  launchCommand([process.execPath, "standalone/main.ts"], {
    ...cleanEnvironment(),
    DATA_DIR: dataDir,
    HOST: "127.0.0.1",
    RATE_LIMIT_READS: "0",
    RATE_LIMIT_WRITES: "0",
    // Pictures of all that tests publish would take more of the machine than the tests.
    CHROMIUM_PATH: "off",
    ...env,
  });

/** Starts a command in the checkout, with this environment and no other. */
export function launchCommand(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  options: { readonly cwd?: string; readonly uid?: number; readonly gid?: number } = {},
): Child {
  const spawned = Bun.spawn([...command], {
    cwd: repository,
    ...options,
    env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  // Each request has its line, and all of them are looked through for secrets. In pieces: to cut one long text with each
  // of them would take more of the machine than what is measured there does.
  const said: string[] = [];
  let length = 0;
  const collect = async (stream: ReadableStream<Uint8Array>, keep: boolean) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      if (!keep) continue;
      const text = decoder.decode(chunk, { stream: true });
      said.push(text);
      length += text.length;
      while (length > kept) length -= said.shift()?.length ?? 0;
    }
  };
  void collect(spawned.stderr, true);
  // Read and dropped, so that a full pipe never blocks the child.
  void collect(spawned.stdout, false);
  return { process: spawned, stderr: () => said.join("") };
}

/** A folder of its own under the system's temporary one. */
export const temporaryFolder = (purpose: string): Promise<string> => mkdtemp(join(tmpdir(), `plinth-${purpose}-`));

/** Fails once `hung` has passed; the promise itself goes on. */
export async function withinHung<Result>(promise: Promise<Result>, complaint: () => string): Promise<Result> {
  const timer = Promise.withResolvers<never>();
  const handle = setTimeout(() => timer.reject(new Error(complaint())), hung);
  try {
    return await Promise.race([promise, timer.promise]);
  } finally {
    clearTimeout(handle);
  }
}

/** This process's environment without what would configure the instance by accident. */
export function cleanEnvironment(): Record<string, string> {
  const own =
    /^(DATABASE_URL|REDIS_URL|SECRET|OPERATOR_TOKEN|PUBLIC_URL|API_ORIGIN|TRUSTED_PROXIES|PORT|DATA_DIR|SERVICE_|OIDC_|GITHUB_CLIENT|GOOGLE_CLIENT|OWNER_EMAIL|ALLOW_LOCAL_LOGIN|STRIPE_|METRICS_TOKEN|WORKER_PORT|LOG_)/;
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || own.test(name) ? [] : [[name, value]],
    ),
  );
}

/** A process that is expected to refuse to start. */
export async function refusal(
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<{ status: number; lines: string[] }> {
  const child = launch(folder, { PORT: String(reservePort()), ...env });
  const status = await withinHung(child.process.exited, () => `it started after all\n${child.stderr()}`);
  return { status, lines: child.stderr().trim().split("\n") };
}
