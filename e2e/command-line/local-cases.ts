// The cases of the commands that are not operations: about this machine, its stored login and the catalogue.
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";

import { fresh } from "../harness/people.ts";
import { fails, succeeds, type CasesOf, type Make, type Stage, type Success } from "./cases.ts";
import type { Line } from "./line.ts";
import { completionNameCases } from "./setup-cases.ts";
import { usageCases } from "./usage-cases.ts";

/** `plinth status`: with every kind of token, and without one. */
export const statusCases: CasesOf = (stage, command) => {
  const line =
    (...more: readonly string[]): Make =>
    async () => ({ words: ["status", ...more], env: at(stage) });
  const full: Make = async () => ({
    words: ["status"],
    env: { ...at(stage), SERVICE_TOKEN: "plk_0000000000", SERVICE_SHARE_TOKEN: "pls_0000000000" },
  });
  return [
    succeeds("nothing is saved", line()),
    succeeds("tokens in the environment", full),
    succeeds("a saved login", async () => ({ ...(await loggedIn(stage)), words: ["status"] })),
    fails("input needed", "input_needed", terminal(stage, ["status", "--token-stdin", "--no-input"])),
    ...usageCases(command, stage, line()),
  ];
};

/** `plinth schema`: whole, of a group, of one command and compact. */
export const schemaCases: CasesOf = (stage, command) => {
  const line =
    (...more: readonly string[]): Make =>
    async () => ({ words: ["schema", ...more], env: at(stage) });
  const program: Success = { prints: "program" };
  return [
    succeeds("whole", line(), program),
    succeeds("a group", line("artifact", "access"), program),
    succeeds("one command", line("artifact", "get"), program),
    succeeds("in short", line("--compact")),
    fails("a command that is not there", "usage", line("artefact")),
    ...usageCases(command, stage, line()),
  ];
};

/** `plinth login` with a given token; login.test.ts tests the login by browser and by code. */
export const loginCases: CasesOf = (stage, command) => {
  const { fixtures, standIns } = stage;
  const bring =
    (token: string, origin = fixtures.instance.origin): Make =>
    async () => ({
      words: ["login", "--token-stdin"],
      env: { SERVICE_BASE_URL: origin },
      stdin: `${token}\n`,
      home: await home(stage),
    });
  const brought = bring(fixtures.owner.token);
  const expired: Make = async () => bring(await stage.expired())();
  return [
    succeeds("a key is brought", brought),
    succeeds("dry run", async () => ({ ...(await bring("")()), words: ["login", "--device", "--dry-run"] })),
    fails("unauthenticated", "unauthenticated", bring("plk_not-a-token"), "server"),
    fails("token_expired", "token_expired", expired, "server"),
    fails("nobody to ask", "input_needed", async () => ({ words: ["login", "--no-input"], env: at(stage) })),
    fails("nobody types", "input_needed", terminal(stage, ["login", "--token-stdin", "--no-input"])),
    fails("nobody listens", "unavailable", bring(fixtures.owner.token, standIns.nobody)),
    ...(["forbidden", "insufficient_scope", "rate_limited", "unavailable", "internal"] as const).map((code) =>
      fails(code, code, bring(fixtures.owner.token, standIns.refusing(code)), "server"),
    ),
    fails("a token on the line", "usage", async () => ({ words: ["login", "--token=plk_0000000000"], env: at(stage) })),
    fails("no token", "usage", bring("")),
    ...usageCases(command, stage, async () => ({
      words: ["login", "--token-stdin"],
      env: at(stage),
      stdin: "plk_00000000",
    })),
  ];
};

/** `plinth logout` succeeds with every answer of the server, because it deletes the local login. */
export const logoutCases: CasesOf = (stage, command) => {
  const out = async (env: Readonly<Record<string, string>> = {}, ...more: readonly string[]): Promise<Line> => {
    const saved = await loggedIn(stage);
    return { ...saved, words: ["logout", ...more], env: { ...saved.env, ...env } };
  };
  return [
    succeeds("nothing is saved", async () => ({ words: ["logout"], env: at(stage), home: await home(stage) })),
    succeeds("a key is forgotten", () => out()),
    succeeds("another token is still set", () => out({ SERVICE_TOKEN: "plk_0000000000" })),
    succeeds("dry run", () => out({}, "--dry-run")),
    ...usageCases(command, stage, async () => ({ words: ["logout"], env: at(stage) })),
  ];
};

/** `plinth completion` of every shell: a script in every form. */
export const completionCases: CasesOf = (stage, command) => {
  const line =
    (...more: readonly string[]): Make =>
    async () => ({ words: ["completion", ...more], env: at(stage) });
  return [
    ...["bash", "zsh", "fish"].map((shell) => succeeds(shell, line(shell), { prints: "raw" })),
    fails("no shell", "usage", line()),
    fails("a shell that is none", "usage", line("bahs")),
    ...completionNameCases(stage, command),
    ...usageCases(command, stage, line("bash")),
  ];
};

/** `plinth agent init` in separate files. */
export const agentInitCases: CasesOf = (stage, command) => {
  const line =
    (...more: readonly string[]): Make =>
    async () => ({
      words: ["agent", "init", `--file=${fresh("AGENTS")}.md`, "--project-slug=demo", ...more],
      env: at(stage),
    });
  return [
    succeeds("a new file", line(), { prints: "document", shows: { action: "created" } }),
    succeeds("dry run", line("--dry-run"), { prints: "document", shows: { dryRun: true } }),
    succeeds("there is no block to take out", line("--remove"), { prints: "document", shows: { action: "unchanged" } }),
    fails("a slug that is none", "usage", line("--owner=No Owner")),
    ...usageCases(command, stage, line()),
  ];
};

const at = ({ standIns }: Stage) => ({ SERVICE_BASE_URL: standIns.trap });

const home = ({ folder }: Stage): Promise<string> => mkdtemp(join(folder, "home-"));

const terminal =
  (stage: Stage, words: readonly string[]): Make =>
  async () => ({
    words,
    env: at(stage),
    stdin: { terminal: true },
  });

/** A home folder with a stored key of the owner, and its instance. */
async function loggedIn(stage: Stage): Promise<Required<Pick<Line, "env" | "home">>> {
  const { fixtures, run } = stage;
  const env = { SERVICE_BASE_URL: fixtures.instance.origin };
  const line = { words: ["login", "--token-stdin"], env, stdin: fixtures.owner.token, home: await home(stage) };
  const { code, stderr } = await run(line);
  if (code !== 0) throw new Error(`login ended with ${code}: ${stderr}`);
  return { env, home: line.home };
}
