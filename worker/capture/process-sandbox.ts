// Confines the browser in addition to its own sandbox: a user that owns no files, and kernel namespaces without a
// network. It does not know the browser.
const UNPRIVILEGED = 64_750;

export interface ProcessSandbox {
  /** Precedes the browser's command. */
  readonly command: readonly string[];
  /** Whether the kernel itself denies the network to everything inside. */
  readonly hasNoNetwork: boolean;
  /** The owner of the browser's files, where that is another user than this process's. */
  readonly user: number | null;
  /** Whether everything inside runs as an unprivileged user. */
  readonly isUnprivileged: boolean;
}

/**
 * The strictest sandbox that this machine permits. As root, the user is a number without an account, because `nobody`
 * and `postgres` may own files that a document must not read. Everything inside is killed with the process that started
 * it.
 */
export function findProcessSandbox(wantsNamespace = true): ProcessSandbox {
  const isRoot = process.getuid?.() === 0;
  if (process.platform !== "linux") return { command: [], hasNoNetwork: false, user: null, isUnprivileged: !isRoot };
  const killedWithParent = ["setpriv", "--pdeathsig=KILL"];
  const asUnprivileged = [...killedWithParent, ...unprivileged, "--no-new-privs"];
  const user =
    [asUnprivileged, killedWithParent, []].find(
      (command) => (isRoot || command !== asUnprivileged) && isGranted(command),
    ) ?? [];
  const namespaces = [...user, ...withoutNetwork];
  const hasNoNetwork = wantsNamespace && isGranted(namespaces);
  return {
    command: hasNoNetwork ? namespaces : user,
    hasNoNetwork,
    user: user === asUnprivileged ? UNPRIVILEGED : null,
    isUnprivileged: !isRoot || user === asUnprivileged,
  };
}

const unprivileged = [
  `--reuid=${UNPRIVILEGED}`,
  `--regid=${UNPRIVILEGED}`,
  "--clear-groups",
  "--inh-caps=-all",
  "--bounding-set=-all",
];

// Also a process namespace: when its first process ends, the kernel kills all others, whichever way they were started.
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

/** The search path for programs: the sandbox gets nothing of the caller's environment. */
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
