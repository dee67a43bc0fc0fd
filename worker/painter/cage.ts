// Owns what confines the browser beside its own sandbox: a user that owns nothing, and namespaces of the kernel in which
// there is no network. Knows no browser.
const UNPRIVILEGED = 64_750;

export interface Cage {
  /** What goes before the browser's command. */
  readonly command: readonly string[];
  /** Whether the kernel itself keeps everything in it from the network. */
  readonly hasNoNetwork: boolean;
  /** Whom its files must belong to, where that is another user than ours. */
  readonly user: number | null;
  /** Whether what is in it is an unprivileged user. */
  readonly isUnprivileged: boolean;
}

/**
 * The tightest cage that this machine grants. As root: a number that no account has, since `nobody` and `postgres` may
 * own files that a document must not read. With the process that started it, everything in it is killed.
 */
export function openCage(wantsNamespace = true): Cage {
  const isRoot = process.getuid?.() === 0;
  if (process.platform !== "linux") return { command: [], hasNoNetwork: false, user: null, isUnprivileged: !isRoot };
  const tied = ["setpriv", "--pdeathsig=KILL"];
  const asNobody = [...tied, ...unprivileged, "--no-new-privs"];
  const user = [asNobody, tied, []].find((command) => (isRoot || command !== asNobody) && isGranted(command)) ?? [];
  const namespaces = [...user, ...withoutNetwork];
  const hasNoNetwork = wantsNamespace && isGranted(namespaces);
  return {
    command: hasNoNetwork ? namespaces : user,
    hasNoNetwork,
    user: user === asNobody ? UNPRIVILEGED : null,
    isUnprivileged: !isRoot || user === asNobody,
  };
}

const unprivileged = [
  `--reuid=${UNPRIVILEGED}`,
  `--regid=${UNPRIVILEGED}`,
  "--clear-groups",
  "--inh-caps=-all",
  "--bounding-set=-all",
];

// One of processes too: with its first one the kernel kills them all, however they were started.
const withoutNetwork = [
  "unshare",
  "--user",
  "--map-current-user",
  "--net",
  "--ipc",
  "--pid",
  "--fork",
  "--kill-child=KILL",
];

/** Where programs are looked for: nothing of the caller's environment goes into the cage. */
export const SEARCH_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin";

function isGranted(command: readonly string[]): boolean {
  const [program = ""] = command;
  if (program !== "" && Bun.which(program, { PATH: SEARCH_PATH }) === null) return false;
  const probe = Bun.spawnSync([...command, "/bin/sh", "-c", ":"], {
    cwd: "/",
    env: { PATH: SEARCH_PATH },
    stdio: ["ignore", "ignore", "ignore"],
  });
  return probe.success;
}
