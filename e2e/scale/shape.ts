// Several processes as a test sees them: their URLs, and those that it can kill. The starting code knows how they are
// started and connected.
import type { Front } from "../harness/instance.ts";
import { launchCommand, withinHung, hung, type Child } from "../harness/process.ts";
import { requireNoSecret } from "../harness/tracked-secrets.ts";

export interface Shape {
  readonly front: Front;
  /** Addresses of the API's processes; the same twice where there is one. */
  readonly apis: readonly [string, string];
  readonly webs: readonly [string, string];
  /** Whether processes count together what may be done in a time. */
  readonly countsTogether: boolean;
  /** Ends everything in order. @throws Error where a process did not end well */
  stop(): Promise<void>;
}

export interface Member {
  readonly name: string;
  readonly child: Child;
}

/** Starts one process of several. */
export const begin = (
  name: string,
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  options: Parameters<typeof launchCommand>[2] = {},
): Member => ({ name, child: launchCommand(command, env, options) });

/** Waits until a process says or does something. @throws Error with what it said where it ends before, or hangs */
export async function untilReady({ name, child }: Member, isReady: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + hung; Date.now() < end; await Bun.sleep(50)) {
    if (await isReady()) return;
    if (child.process.exitCode !== null)
      throw new Error(`${name} ended (${child.process.exitCode})\n${child.stderr()}`);
  }
  throw new Error(`${name} did not become ready\n${child.stderr()}`);
}

/** Kills the started processes if they do not become ready. */
export async function orKill(members: () => readonly Member[], ready: Promise<unknown>): Promise<void> {
  try {
    await ready;
  } catch (error) {
    for (const { child } of members()) child.process.kill("SIGKILL");
    throw error;
  }
}

/** Whether an address answers with 200. */
export const answers = (url: string): Promise<boolean> =>
  fetch(url, { redirect: "manual" }).then(
    ({ status }) => status === 200,
    () => false, // not listening yet
  );

/** Ends processes by SIGTERM, in this order. @throws Error where one ends otherwise than with 0 */
export async function endAll(members: readonly Member[]): Promise<void> {
  const failures: string[] = [];
  for (const { name, child } of members) {
    if (child.process.signalCode === "SIGKILL") continue;
    child.process.kill("SIGTERM");
    const status = await withinHung(child.process.exited, () => `${name} did not end\n${child.stderr()}`);
    if (status !== 0) failures.push(`${name} ended with ${status}\n${child.stderr()}`);
    requireNoSecret(`the log of ${name}`, child.stderr());
  }
  if (failures.length > 0) throw new Error(failures.join("\n"));
}
