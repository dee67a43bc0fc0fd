// Runs an instance as a child process, as an operator would. Knows the start command, the environment and the health
// route, but nothing inside.
import { existsSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { reservePort } from "@plinth/support/reserved-port";
import { copyPreparedDatabase } from "@plinth/support/prepared-database";

import { contentBytes } from "./content-bytes.ts";
import { requireShortRequests } from "./main-thread.ts";
import { trackSecret, requireNoSecret } from "./tracked-secrets.ts";
import { type Child, eventually, launch, temporaryFolder, withinHung } from "./process.ts";

export interface Instance {
  readonly origin: string;
  readonly port: number;
  readonly dataDir: string;
  readonly pid: number;
  readonly operatorToken: string;
  /** From the start of the process to the first 200 of health. */
  readonly readyMs: number;
  /** Its standard error so far. */
  stderr(): string;
  /** Settles with the exit status, or with minus the name of the signal that ended it. */
  readonly exited: Promise<number>;
  /** Sends SIGTERM, and deletes the data directory if the harness created it. */
  stop(): Promise<number>;
  /** Sends SIGKILL; the data directory stays. */
  kill(): Promise<void>;
}

/** The URL for people and the operator's token: the part of an instance that clients need. */
export type Front = Pick<Instance, "origin" | "operatorToken">;

export interface StartOptions {
  /** Kept by `stop`; without it a new one that `stop` deletes. */
  readonly dataDir?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The port; without it, one that is reserved for it. */
  readonly port?: number;
  /** Serves content on a separate host: `localhost`, while the app is at 127.0.0.1. */
  readonly contentApart?: boolean;
}

/** Waits for renderings even on a busy machine, unless a test is about an artifact that is not rendered yet. */
export const renderWaitMs = "60000";

/** Starts an instance without rate limits, unless `env` sets them, and waits until it is ready. */
export async function startInstance(options: StartOptions = {}): Promise<Instance> {
  const dataDir = options.dataDir ?? (await temporaryFolder("data"));
  if (options.dataDir === undefined && !options.env?.["DATABASE_URL"]) await copyPreparedDatabase(dataDir);
  const started = performance.now();
  const port = options.port ?? reservePort();
  const origin = `http://127.0.0.1:${port}`;
  const apart = options.contentApart ? { CONTENT_ORIGIN: `http://localhost:${port}` } : {};
  const child = launch(dataDir, {
    PORT: String(port),
    PUBLIC_URL: origin,
    RENDER_WAIT_MS: renderWaitMs,
    PACKAGE_REGISTRY: "off",
    MAX_CONTENT_BYTES: String(contentBytes),
    REMOTE_IMAGES: "off",
    ...apart,
    ...options.env,
  });
  try {
    await untilReady(origin, child);
  } catch (error) {
    child.process.kill("SIGKILL");
    await child.process.exited;
    throw error;
  }
  return instanceOf(child, { port, origin, dataDir, readyMs: performance.now() - started }, options);
}

type Place = Pick<Instance, "port" | "origin" | "dataDir" | "readyMs">;

function instanceOf(child: Child, { port, origin, dataDir, readyMs }: Place, options: StartOptions): Instance {
  const exited = child.process.exited;
  const remove = async () => {
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
  };
  return {
    origin,
    port,
    dataDir,
    pid: child.process.pid,
    operatorToken: trackSecret(options.env?.["OPERATOR_TOKEN"] ?? readOperatorToken(dataDir)),
    readyMs,
    stderr: () => child.stderr(),
    exited,
    stop: async () => {
      child.process.kill("SIGTERM");
      const status = await withinHung(exited, () => `the instance did not end\n${child.stderr()}`);
      requireNoSecret("the log", child.stderr());
      requireShortRequests(child.stderr());
      await remove();
      return status;
    },
    kill: async () => {
      child.process.kill("SIGKILL");
      await exited;
      requireNoSecret("the log", child.stderr());
      requireShortRequests(child.stderr());
    },
  };
}

async function untilReady(origin: string, child: Child): Promise<void> {
  const isReady = async () => {
    if (child.process.exitCode !== null || child.process.signalCode !== null)
      throw new Error(`the instance ended before it was ready (${child.process.exitCode})\n${child.stderr()}`);
    // Null while it does not listen yet.
    return (await fetch(`${origin}/api/health`).catch(() => null))?.status === 200;
  };
  await eventually(isReady, () => `the instance did not become ready\n${child.stderr()}`, 20);
}

function readOperatorToken(dataDir: string): string {
  const file = join(dataDir, "operator-token");
  if (!existsSync(file)) throw new Error(`there is no ${file}`);
  return readFileSync(file, "utf8").trim();
}
