// The process of an instance, and what tests need around it: ports, folders, time limits. Knows only the start command
// and its environment.
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reservePort } from "@plinth/support/reserved-port";

export const repository = join(import.meta.dir, "../..");

/** The time in ms after which anything counts as hung; it does not measure speed. */
export const hung = 120_000;

/** Turns off screenshots, which take a second each and a browser. */
export const withoutScreenshots = { CHROMIUM_PATH: "/nowhere/chromium" } as const;
/** Turns on screenshots: with the browser of the tests, otherwise with any that is found. */
export const withScreenshots = { CHROMIUM_PATH: process.env["CHROMIUM_PATH"] ?? "" } as const;

export interface Child {
  readonly process: Bun.Subprocess<"ignore", "pipe", "pipe">;
  stderr(): string;
}

/** The number of characters of a process's output that are kept, the latest ones. */
const kept = 32_000_000;

/** Starts an instance and does not wait. */
export const launch = (dataDir: string, env: Readonly<Record<string, string>>): Child =>
  launchCommand([process.execPath, "server/main.ts"], {
    ...cleanEnvironment(),
    DATA_DIR: dataDir,
    HOST: "127.0.0.1",
    RATE_LIMIT_READS: "0",
    RATE_LIMIT_WRITES: "0",
    // Screenshots of everything that tests publish would take more of the machine than the tests.
    CHROMIUM_PATH: "off",
    ...env,
  });

/** Starts a command in the checkout with exactly this environment. */
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
  // Each request writes a line, and all lines are searched for secrets. Kept in pieces, because cutting one long text
  // for each line would take more time than the measured work.
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

/** A new folder in the system's temporary one. */
export const temporaryFolder = (purpose: string): Promise<string> => mkdtemp(join(tmpdir(), `plinth-${purpose}-`));

/** Fails after `hung`, or the time that is given in ms; the promise itself continues. */
export async function withinHung<Result>(
  promise: Promise<Result>,
  complaint: () => string,
  ms: number = hung,
): Promise<Result> {
  const timer = Promise.withResolvers<never>();
  const handle = setTimeout(() => timer.reject(new Error(complaint())), ms);
  try {
    return await Promise.race([promise, timer.promise]);
  } finally {
    clearTimeout(handle);
  }
}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Its standard input; without it none. */
  readonly stdin?: string;
  /** The time in ms after which it counts as hung; `hung` unless told. */
  readonly hungMs?: number;
}

/** Runs a program to its end; one that hangs is killed. */
export async function runToEnd(words: readonly string[], { stdin, hungMs, ...options }: Running = {}): Promise<Ran> {
  const input = stdin === undefined ? "ignore" : new Blob([stdin]);
  const child = Bun.spawn([...words], { ...options, stdin: input, stdout: "pipe", stderr: "pipe" });
  const all = Promise.all([child.exited, new Response(child.stdout).text(), new Response(child.stderr).text()]);
  try {
    const [code, stdout, stderr] = await withinHung(all, () => `${words.join(" ")} hung`, hungMs);
    return { code, stdout, stderr };
  } finally {
    child.kill("SIGKILL");
  }
}

/** The standard output of a program that must succeed. @throws with everything that it printed */
export async function outputOf(words: readonly string[], options?: Running): Promise<string> {
  const { code, stdout, stderr } = await runToEnd(words, options);
  if (code !== 0) throw new Error(`${words.join(" ")} ended with ${code}\n${stdout}\n${stderr}`);
  return stdout;
}

/** What `look` finds, which it is asked for again and again while it finds nothing. @throws if that is for `hung` */
export async function eventually<Found>(
  look: () => Promise<Found | false | null | undefined> | Found | false | null | undefined,
  complaint: () => string | Promise<string>,
  everyMs = 50,
): Promise<Found> {
  for (const end = Date.now() + hung; ; await Bun.sleep(everyMs)) {
    const found = await look();
    if (found !== false && found !== null && found !== undefined) return found;
    if (Date.now() > end) throw new Error(await complaint());
  }
}

/** This process's environment without variables that would configure the instance. */
export function cleanEnvironment(): Record<string, string> {
  const own =
    /^(DATABASE_URL|REDIS_URL|SECRET|OPERATOR_TOKEN|PUBLIC_URL|API_ORIGIN|TRUSTED_PROXIES|PORT|DATA_DIR|SERVICE_|OIDC_|GITHUB_CLIENT|GOOGLE_CLIENT|OWNER_EMAIL|EMAIL_SIGN_IN|ALLOW_LOCAL_LOGIN|STRIPE_|METRICS_TOKEN|WORKER_PORT|LOG_)/;
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || own.test(name) ? [] : [[name, value]],
    ),
  );
}

/** Runs a process that must refuse to start. */
export async function refusal(
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<{ status: number; lines: string[] }> {
  const child = launch(folder, { PORT: String(reservePort()), ...env });
  const status = await withinHung(child.process.exited, () => `it started after all\n${child.stderr()}`);
  return { status, lines: child.stderr().trim().split("\n") };
}
