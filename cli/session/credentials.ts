// Where a token comes from (docs/reference/experience.md §2, "Token"; docs/reference/contract.md §1, "The operator").
// Reads only what is needed, and never says one aloud. What `login` saved is credentials-file.ts.
import { join, resolve } from "node:path";

import { readFileBounded } from "../files/bounded-read.ts";
import { credentialsFile, savedLogin } from "./credentials-file.ts";
import { isCode } from "../failure/system-error.ts";
import { clientFailure, Failure, usage } from "../failure/failure.ts";
import type { Io } from "../io/io.ts";
import { isLoopbackHost } from "./settings.ts";
import type { Reader } from "../io/reader.ts";

export interface Credential {
  readonly token: string;
  /** What the person would look at: a flag, a variable, a file. */
  readonly source: string;
  /** `login` put it there. */
  readonly saved?: true;
  /** The agent for a token of which the token, an id token, is exchanged. */
  readonly agentId?: string;
}

interface CredentialQuery {
  readonly flags: Readonly<Record<string, unknown>>;
  readonly io: Pick<Io, "env" | "directory">;
  readonly baseUrl: string;
  readonly reader: Reader;
  readonly warn: (message: string) => void;
}

/** The caller's token: the flag, standard input, the environment, then the file's for this origin; null where there is none. @throws Failure usage */
export async function findToken({ flags, io, baseUrl, reader, warn }: CredentialQuery): Promise<Credential | null> {
  if (flags["token"] !== undefined && flags["token-stdin"] === true)
    throw usage("--token and --token-stdin exclude each other");
  if (typeof flags["token"] === "string") return checkCredential(flags["token"], "--token");
  if (flags["token-stdin"] === true) return checkCredential(await reader.line(), "--token-stdin");
  const fromEnvironment = io.env["SERVICE_TOKEN"];
  if (fromEnvironment !== undefined && fromEnvironment !== "") return checkCredential(fromEnvironment, "SERVICE_TOKEN");
  const idToken = io.env["PLINTH_ID_TOKEN"];
  if (idToken !== undefined && idToken !== "") {
    const agentId = io.env["PLINTH_AGENT"];
    if (agentId) return { ...checkIdToken(idToken), agentId };
    warn("PLINTH_ID_TOKEN is set without PLINTH_AGENT, the identifier of the agent that trusts it: it is not used");
  }
  const saved = await savedLogin(io.env, baseUrl, warn);
  return saved === null ? null : { ...checkCredential(saved.token, credentialsFile(io.env)), saved: true };
}

/** The operator's token; the one in the data directory is for this machine's instance alone. @throws Failure */
export async function findOperatorToken(asked: CredentialQuery): Promise<Credential> {
  const { flags, io, baseUrl } = asked;
  const file = flags["operator-token-file"];
  if (typeof file === "string") {
    const text = await readText(resolve(io.directory, file));
    if (text === null) throw usage("--operator-token-file does not exist");
    return checkCredential(text.trim(), "--operator-token-file");
  }
  // A token said on this line counts where it is an operator's; a person's token is for the other commands.
  if (flags["token"] !== undefined || flags["token-stdin"] === true) {
    const said = await findToken(asked);
    if (said?.token.startsWith("plo_")) return said;
  }
  const fromEnvironment = io.env["OPERATOR_TOKEN"];
  if (fromEnvironment !== undefined && fromEnvironment !== "")
    return checkCredential(fromEnvironment, "OPERATOR_TOKEN");
  const path = join(resolve(io.directory, io.env["DATA_DIR"] || "data"), "operator-token");
  const text = isLoopback(baseUrl) ? await readText(path) : null;
  if (text !== null) return checkCredential(text.trim(), path);
  throw clientFailure("unauthenticated", "No operator token was found", {
    hint: isLoopback(baseUrl)
      ? "Give --operator-token-file, OPERATOR_TOKEN, or DATA_DIR of the running instance"
      : "Give --operator-token-file or OPERATOR_TOKEN; the data directory's is used for this machine only",
  });
}

const isLoopback = (origin: string): boolean => isLoopbackHost(new URL(origin).hostname);

/** A token in the form tokens have. @throws Failure usage */
export function checkCredential(token: string, source: string): Credential {
  if (/^[\x21-\x7e]{1,4096}$/.test(token)) return { token, source };
  throw usage(`The token of ${source} is ${token === "" ? "empty" : "not a token"}`, {
    hint: "A token is one word, such as plk_…",
  });
}

/** @throws Failure usage */
function checkIdToken(token: string): Credential {
  const source = "PLINTH_ID_TOKEN";
  if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return { token, source };
  throw usage(`The token of ${source} is not an id token`, { hint: "It is a JWT, as the CI gives it to the job" });
}

/** Bytes. */
const maxFileBytes = 64 * 1024;

async function readText(path: string): Promise<string | null> {
  try {
    const bytes = await readFileBounded(path, maxFileBytes);
    if ("tooLarge" in bytes) throw usage(`${path} is larger than a file with a token`);
    return new TextDecoder().decode(bytes);
  } catch (error) {
    if (isCode(error, "ENOENT")) return null;
    if (error instanceof Failure) throw error;
    throw usage(`${path} cannot be read`, { cause: error });
  }
}
