// Makes a failure of any error, with a hint where the server's is missing or the command line has a better one.
import { ProblemError } from "@plinth/contract/client";
import type { ErrorCode, Problem } from "@plinth/contract/errors";
import { flagName } from "@plinth/contract/flag-name";

import { Failure, clientFailure } from "../failure/failure.ts";
import { OutputFailure } from "../failure/system-error.ts";
import type { UsedCredentials } from "./context.ts";

/** Makes a failure of any error. An unexpected error is `internal`, with its message kept for `--debug`. */
export function toFailure(error: unknown, command: string | null, used: UsedCredentials = noCredentials): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof ProblemError) return problemFailure(error.problem, error.retryAfterSeconds, command, used);
  if (error instanceof OutputFailure) return writeFailure(error);
  return clientFailure("internal", "The client met something it did not expect", {
    hint: "Run it again with --debug to see where",
    cause: error,
  });
}

/** The command itself was done. */
const writeFailure = (error: OutputFailure): Failure =>
  clientFailure(
    "internal",
    error.isClosedPipe ? "Standard output was closed before the result was written" : error.message,
    {
      hint: error.isClosedPipe
        ? "The command was done and its result was lost; push --ensure shows it again"
        : "Is there room where standard output leads? What the command did stays done",
      cause: error,
    },
  );

function problemFailure(
  problem: Problem,
  retryAfterSeconds: number | null,
  command: string | null,
  used: UsedCredentials,
): Failure {
  const wait = retryAfterSeconds === null || "retryAfterSeconds" in problem ? {} : { retryAfterSeconds };
  const { hint, next, replacesServerHint } = hintRules[problem.code]?.({ ...problem, ...wait }, command, used) ?? {};
  const own = replacesServerHint ? hint : (problem.hint ?? hint);
  // There is always something to do next.
  const said = own ?? (next === undefined ? `See ${problem.type}` : undefined);
  return new Failure({ ...problem, ...wait, ...(said !== undefined && { hint: said }) }, next ?? null);
}

interface Hint {
  readonly hint?: string;
  readonly next?: string;
  /** Takes the place of the server's hint, which knows nothing of flags. */
  readonly replacesServerHint?: true;
}

type HintRule = (problem: Problem, command: string | null, used: UsedCredentials) => Hint;

const noCredentials: UsedCredentials = { credential: null, share: null };

const signIn = "Sign in, or give a token with --token-stdin or SERVICE_TOKEN";

const tokenHint: HintRule = (_problem, _command, { credential, share }) => {
  if (credential === null && share !== null)
    return {
      hint: `The share token of ${share.source} does not open this, or has ended; sign in to act as yourself`,
      next: "plinth share resolve",
      replacesServerHint: true,
    };
  if (credential === null) return { hint: signIn, next: "plinth login", replacesServerHint: true };
  return credential.saved
    ? { hint: "The saved login has ended: sign in again", next: "plinth login", replacesServerHint: true }
    : { hint: `Look at the token of ${credential.source}`, next: "plinth status" };
};
const retryLaterHint: HintRule = ({ retryAfterSeconds: seconds }) => ({
  hint: typeof seconds === "number" && seconds > 1 ? `Try again in ${seconds} s` : "Try again in a while",
});

const hintRules: Partial<Record<ErrorCode, HintRule>> = {
  unauthenticated: tokenHint,
  token_expired: tokenHint,
  insufficient_scope: (problem) => ({
    hint: `The token needs the scope ${text(problem["requiredScope"])}`,
    next: "plinth whoami",
  }),
  forbidden: (_problem, command) =>
    /^(keys|agent) /.test(command ?? "")
      ? {
          hint: "Keys and agents cannot manage keys and agents: sign in as a person, or do it on the web (Settings)",
          next: "plinth login",
          replacesServerHint: true,
        }
      : { next: "plinth whoami" },
  not_found: (_problem, command, { credential, share }) => {
    if (command === "share resolve")
      return {
        hint: "It was revoked, has expired, its artifact is gone, or it never was; ask for another",
        replacesServerHint: true,
      };
    if (command?.startsWith("operator ")) return { hint: "Check the operator token and the identifier" };
    const check = "Check the name or identifier";
    if (share !== null)
      return {
        hint: `${check}, and that the share token of ${share.source} still opens it`,
        next: "plinth share resolve",
      };
    if (credential === null)
      return { hint: `${check}. It may be private, and no token was sent. ${signIn}`, next: "plinth login" };
    return {
      hint: `${check}, and that the token may see it`,
      ...(command === "push" && { next: "plinth project list" }),
    };
  },
  plan_required: planHint,
  slug_conflict: slugConflictHint,
  source_path_conflict: ({ artifactId }) => ({
    hint: "Update the artifact that has it, or give this one another source path",
    ...(typeof artifactId === "string" && { next: `plinth get ${artifactId}` }),
  }),
  storage_limit_reached: () => ({
    hint: "Delete artifacts with files that are no longer needed, or take a plan with more storage",
    next: "plinth whoami",
  }),
  version_conflict: versionConflictHint,
  invalid_source: sourceHint,
  invalid_request: inputHint,
  idempotency_conflict: () => ({ hint: "Run it again: every run takes a key of its own" }),
  version_expired: () => ({ hint: "plinth artifact versions shows those that are kept" }),
  email_conflict: () => ({ hint: "Give another address, or make a key for the user there is" }),
  internal: () => ({
    hint: "Try again; if it keeps failing, send the request's identifier to the instance's operator",
  }),
  content_too_large: (problem) => ({ hint: `At most ${text(problem["limitBytes"])} bytes` }),
  rate_limited: retryLaterHint,
  busy: retryLaterHint,
  unavailable: retryLaterHint,
};

const text = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? String(value) : "?");

function slugConflictHint(problem: Problem, command: string | null): Hint {
  const suggestion = problem["suggestion"];
  const other = typeof suggestion === "string" ? `--slug ${suggestion}` : "another --slug";
  const artifactId = problem["artifactId"];
  return {
    ...(command === "push"
      ? {
          hint: `Add --ensure to publish a new version of the one there is, or take ${other}`,
          replacesServerHint: true,
        }
      : { hint: `Take ${other}` }),
    ...(typeof artifactId === "string" && { next: `plinth get ${artifactId}` }),
  };
}

/** Plans are bought in a browser alone: no key reaches billing, so no command does. */
function planHint({ hint, upgradeUrl }: Problem): Hint {
  if (typeof upgradeUrl !== "string") return {};
  return {
    hint: `${hint ?? "Take another plan"}. Plans are changed in a browser: ${upgradeUrl}`,
    replacesServerHint: true,
  };
}

/** Another writer published first: the command that shows the change, and the flag that confirms it was seen. */
function versionConflictHint(
  { artifactId, latestVersion, expectedLatestVersion }: Problem,
  command: string | null,
): Hint {
  if (typeof latestVersion !== "number") return { hint: "Look at the latest version, and publish on top of it" };
  const again = command === "push" ? "push it again" : `give --expected-latest-version ${latestVersion}`;
  const versions = `--from ${text(expectedLatestVersion)} --to ${latestVersion}`;
  return {
    hint: `Look at what changed, bring your change to version ${latestVersion}, and ${again}`,
    replacesServerHint: true,
    ...(typeof artifactId === "string" &&
      typeof expectedLatestVersion === "number" &&
      expectedLatestVersion < latestVersion && {
        next: `plinth artifact diff ${artifactId} ${versions}`,
      }),
  };
}

function sourceHint({ errors = [], hint }: Problem): Hint {
  const [first] = errors;
  const place = first?.line === undefined ? "it" : `line ${first.line}, column ${first.column ?? 1}`;
  const more = hint === undefined ? "" : `. ${hint}`;
  return {
    hint: `Nothing was published. Mend ${place}; --check compiles without publishing${more}`,
    replacesServerHint: true,
  };
}

/** Field errors name the input's fields; the line has flags. */
function inputHint({ errors = [] }: Problem, command: string | null): Hint {
  if (command === null) return {};
  const flags = [...new Set(errors.map(({ path }) => path.split(".")[0] ?? ""))].filter((field) =>
    /^[A-Za-z]+$/.test(field),
  );
  const hint =
    flags.length > 0 && command !== "push"
      ? { hint: `See ${flags.map((field) => `--${flagName(field)}`).join(", ")}` }
      : {};
  return { ...hint, next: `plinth ${command} --help` };
}
