// The real service as a child of a test, and the real command line run against it.
import { expect } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyPreparedDatabase } from "@plinth/support/prepared-database";
import { reservePort } from "@plinth/support/reserved-port";

/** The repository. */
export const root = join(import.meta.dir, "../..");
/** Where every line runs, and what `HOME` is. */
export const directory = mkdtempSync(join(tmpdir(), "plinth-service-"));
/** Writes a file there; its name. */
export const file = (name: string, content: string): string => {
  writeFileSync(join(directory, name), content);
  return name;
};
let service: Bun.Subprocess | undefined;
let env: Env = {};

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The object on the last line of standard error. */
  readonly error: Record<string, unknown> | null;
}

type Env = Readonly<Record<string, string>>;

/** Starts a line that waits for a person; words with spaces stand in single quotes. */
export function startLine(words: string, more: Env = {}, stdin = "") {
  const argv = [...words.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
  const child = Bun.spawn([process.execPath, join(root, "cli/main.ts"), ...argv], {
    cwd: directory,
    env: { PATH: process.env["PATH"] ?? "", HOME: directory, ...env, ...more },
    stdin: new Blob([stdin]),
    stdout: "pipe",
    stderr: "pipe",
  });
  let stderr = "";
  let changed = Promise.withResolvers<void>();
  const listening = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of child.stderr) {
      stderr += decoder.decode(chunk, { stream: true });
      changed.resolve();
      changed = Promise.withResolvers();
    }
  })();
  const ended = (async (): Promise<Ended> => {
    const [stdout, code] = await Promise.all([new Response(child.stdout).text(), child.exited, listening]);
    const last = stderr.trimEnd().split("\n").at(-1) ?? "";
    const { error } = (last.startsWith("{") ? JSON.parse(last) : { error: null }) as Pick<Ended, "error">;
    return { code, stdout, stderr, error };
  })();
  return {
    ended,
    /** Ends it at once, without a chance to tidy up. */
    kill: () => child.kill("SIGKILL"),
    /** What standard error says that looks like this. */
    async said(pattern: RegExp): Promise<string> {
      for (;;) {
        const [found] = pattern.exec(stderr) ?? [];
        if (found !== undefined) return found;
        const more = await Promise.race([changed.promise.then(() => true), listening.then(() => false)]);
        if (!more && !pattern.test(stderr)) throw new Error(`Never said, but: ${stderr}`);
      }
    },
  };
}

/** Runs a line. */
export const plinth = (words: string, stdin = "", more: Env = {}): Promise<Ended> =>
  startLine(words, more, stdin).ended;

/** Runs a line that must succeed; its result. */
export async function result<Value>(words: string, stdin = "", more: Env = {}): Promise<Value> {
  const { code, stdout, stderr } = await plinth(words, stdin, more);
  expect({ words, code, stderr: code === 0 ? "" : stderr }).toEqual({ words, code: 0, stderr: "" });
  return JSON.parse(stdout) as Value;
}

export interface Started {
  readonly origin: string;
  readonly userId: string;
  /** Ada's key. */
  readonly key: string;
}

/** What bounds a start or a stop that hangs, in ms: of `beforeAll` and `afterAll`. */
export const startHung = 180_000;
export const stopHung = 60_000;

/** Starts it with a user `ada` and her key, which every line then has. It makes no screenshots. */
export async function startService(): Promise<Started> {
  // The file before, in the same run, has removed it.
  mkdirSync(directory, { recursive: true });
  const port = reservePort();
  const data = join(directory, "data");
  mkdirSync(data);
  await copyPreparedDatabase(data);
  const own = { PORT: String(port), DATA_DIR: data, PUBLIC_URL: `http://localhost:${port}`, CHROMIUM_PATH: "off" };
  // The jobs of the Redis of another test file would be taken.
  const { REDIS_URL: _, ...inherited } = process.env;
  service = Bun.spawn([process.execPath, join(root, "server/main.ts")], {
    cwd: directory,
    env: { ...inherited, ...own },
    stdout: "ignore",
    stderr: Bun.file(join(directory, "service.err")),
  });
  env = { SERVICE_BASE_URL: `http://localhost:${port}`, DATA_DIR: data };
  const until = Date.now() + 120_000;
  // A request rather than a line: starting the program again and again would take the processor from the service.
  const isUp = () =>
    fetch(`http://localhost:${port}/api/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isUp())) {
    if (Date.now() > until || service.exitCode !== null)
      throw new Error(await Bun.file(join(directory, "service.err")).text());
    await Bun.sleep(50);
  }
  expect((await plinth("health --quiet")).code).toBe(0);
  const user = await result<{ userId: string }>(
    "operator user create --email ada@example.com --username ada --plan team",
  );
  const scopes = "artifacts:read,artifacts:create,artifacts:update,artifacts:delete";
  const { key } = await result<{ key: string }>(
    `operator user api-key --user-id ${user.userId} --name cli --scopes ${scopes}`,
  );
  env = { ...env, SERVICE_TOKEN: key };
  return { origin: `http://localhost:${port}`, userId: user.userId, key };
}

/** Ends it and removes its data. */
export async function stopService(): Promise<void> {
  service?.kill("SIGTERM");
  await service?.exited;
  rmSync(directory, { recursive: true, force: true });
}
