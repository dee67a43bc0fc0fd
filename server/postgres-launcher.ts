// Chooses the user that runs the PostgreSQL programs: the caller, or, because PostgreSQL refuses root, an unprivileged
// user that can reach the files. It must not know the programs.
import { chownSync, existsSync, readFileSync, statSync } from "node:fs";

/** How to start a program: `command` precedes it, `options` are for `Bun.spawn`. */
export interface Launcher {
  command: string[];
  options: { cwd: string; env: Record<string, string>; uid?: number; gid?: number };
  /** Makes the user of the programs the owner of a file or directory. */
  own(path: string): void;
}

interface User {
  uid: number;
  gid: number;
}

// Excludes the caller's environment: it holds secrets, and PG* variables would change the server.
const options = { cwd: "/", env: { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" } };

/**
 * Chooses the user for a cluster and verifies that it reaches both the cluster and the program. As root: the owner of
 * an existing cluster, else `postgres`, else `nobody`. @param directory the cluster if it exists, else its future
 * directory @throws Error one line, when no unprivileged user can reach the files
 */
export function chooseLauncher(cluster: string, directory: string, program: string): Launcher {
  const owner = existsSync(cluster) ? ownerOf(cluster) : undefined;
  const self = process.getuid?.();
  if (self !== 0) {
    if (owner !== undefined && self !== undefined && owner.uid !== self) {
      throw new Error(`${cluster} belongs to user ${owner.uid}: start Plinth as that user.`);
    }
    return { command: [], options, own: () => undefined };
  }
  if (owner?.uid === 0) {
    throw new Error(`${cluster} belongs to root, as whom PostgreSQL refuses to run: chown -R it.`);
  }
  const user = owner ?? findUser("postgres") ?? findUser("nobody");
  if (user === undefined) throw new Error("PostgreSQL cannot run as root, and there is no user postgres or nobody.");
  const own = (path: string) => chownSync(path, user.uid, user.gid);
  const launchers: Launcher[] = [
    { command: [], options: { ...options, ...user }, own },
    // Other users cannot traverse a directory such as /root: keep the one capability that can. Containers grant the
    // second but not the first, which is narrower.
    { command: withCapability("dac_read_search", user), options, own },
    { command: withCapability("dac_override", user), options, own },
  ];
  const launcher = launchers.find((each) => reaches(each, directory, program));
  if (launcher) return launcher;
  throw new Error(
    `PostgreSQL cannot run as root, and user ${user.uid} cannot reach ${directory} or ${program}: ` +
      "start Plinth as an ordinary user, or put both where other users can pass.",
  );
}

function ownerOf(path: string): User {
  const { uid, gid } = statSync(path);
  return { uid, gid };
}

function findUser(name: string): User | undefined {
  for (const line of readFileSync("/etc/passwd", "utf8").split("\n")) {
    const [login, , uid, gid] = line.split(":");
    if (login === name) return { uid: Number(uid), gid: Number(gid) };
  }
  return undefined;
}

function withCapability(capability: string, { uid, gid }: User): string[] {
  const only = `-all,+${capability}`;
  return [
    "setpriv",
    `--reuid=${uid}`,
    `--regid=${gid}`,
    "--clear-groups",
    `--inh-caps=${only}`,
    `--ambient-caps=${only}`,
    `--bounding-set=${only}`,
    // PostgreSQL searches its programs with access(), which otherwise ignores capabilities.
    "--securebits=+no_setuid_fixup",
    "--no-new-privs",
  ];
}

function reaches(launcher: Launcher, directory: string, program: string): boolean {
  const probe = ["/bin/sh", "-c", 'cd "$1" && exec "$2" --version', "sh", directory, program];
  const [command = "/bin/sh", ...rest] = [...launcher.command, ...probe];
  // Without setpriv on the machine there is nothing to try.
  if (Bun.which(command, { PATH: options.env.PATH }) === null) return false;
  return Bun.spawnSync([command, ...rest], { ...launcher.options, stderr: "ignore" }).success;
}
