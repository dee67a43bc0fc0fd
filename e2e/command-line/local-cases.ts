// The cases of the commands that are not operations: about this machine, its stored login and the catalogue.
import { fresh } from "../harness/people.ts";
import {
  fails,
  linesOf,
  newHome,
  refused,
  shows,
  succeeds,
  trapped,
  untyped,
  type CasesOf,
  type Make,
  type Stage,
  type Success,
} from "./cases.ts";
import type { Line } from "./line.ts";
import { completionNameCases } from "./setup-cases.ts";
import { usageCases } from "./usage-cases.ts";

/** `plinth status`: with every kind of token, and without one. */
export const statusCases: CasesOf = (stage, command) => {
  const line = linesOf("status", () => ({ env: trapped(stage) }))();
  const tokens = { SERVICE_TOKEN: "plk_0000000000", SERVICE_SHARE_TOKEN: "pls_0000000000" };
  return [
    succeeds("nothing is saved", line),
    succeeds("tokens in the environment", linesOf("status", () => ({ env: { ...trapped(stage), ...tokens } }))()),
    succeeds("a saved login", linesOf("status", () => loggedIn(stage))()),
    untyped(stage, "input needed", ["status"]),
    ...usageCases(command, stage, line),
  ];
};

/** `plinth schema`: whole, of a group, of one command and compact. */
export const schemaCases: CasesOf = (stage, command) => {
  const line = linesOf("schema", () => ({ env: trapped(stage) }));
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
      home: await newHome(stage),
    });
  const brought = bring(fixtures.owner.token);
  const line = linesOf("login", () => ({ env: trapped(stage) }));
  return [
    succeeds("a key is brought", brought),
    succeeds("dry run", async () => ({ ...(await bring("")()), words: ["login", "--device", "--dry-run"] })),
    fails("unauthenticated", "unauthenticated", bring("plk_not-a-token"), "server"),
    fails("token_expired", "token_expired", async () => bring(await stage.expired())(), "server"),
    fails("nobody to ask", "input_needed", line("--no-input")),
    untyped(stage, "nobody types", ["login"]),
    fails("nobody listens", "unavailable", bring(fixtures.owner.token, standIns.nobody)),
    ...(["forbidden", "insufficient_scope", "rate_limited", "unavailable", "internal"] as const).map((code) =>
      refused(stage, code, brought),
    ),
    fails("a token on the line", "usage", line("--token=plk_0000000000")),
    fails("no token", "usage", bring("")),
    ...usageCases(command, stage, async () => ({ ...(await line("--token-stdin")()), stdin: "plk_00000000" })),
  ];
};

/** `plinth logout` succeeds with every answer of the server, because it deletes the local login. */
export const logoutCases: CasesOf = (stage, command) => {
  const out = async (env: Readonly<Record<string, string>> = {}, ...more: readonly string[]): Promise<Line> => {
    const saved = await loggedIn(stage);
    return { ...saved, words: ["logout", ...more], env: { ...saved.env, ...env } };
  };
  const line = linesOf("logout", async () => ({ env: trapped(stage), home: await newHome(stage) }))();
  return [
    succeeds("nothing is saved", line),
    succeeds("a key is forgotten", () => out()),
    succeeds("another token is still set", () => out({ SERVICE_TOKEN: "plk_0000000000" })),
    succeeds("dry run", () => out({}, "--dry-run")),
    ...usageCases(command, stage, line),
  ];
};

/** `plinth completion` of every shell: a script in every form. */
export const completionCases: CasesOf = (stage, command) => {
  const line = linesOf("completion", () => ({ env: trapped(stage) }));
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
  const start = linesOf("agent init --project-slug=demo", () => ({ env: trapped(stage) }));
  const line =
    (...more: readonly string[]): Make =>
    async () =>
      start(`--file=${fresh("AGENTS")}.md`, ...more)();
  return [
    shows("a new file", { action: "created" }, line()),
    shows("dry run", { dryRun: true }, line("--dry-run")),
    shows("there is no block to take out", { action: "unchanged" }, line("--remove")),
    fails("a slug that is none", "usage", line("--owner=No Owner")),
    ...usageCases(command, stage, line()),
  ];
};

/** A home folder with a stored key of the owner, and its instance. */
async function loggedIn(stage: Stage): Promise<Required<Pick<Line, "env" | "home">>> {
  const { fixtures, run } = stage;
  const env = { SERVICE_BASE_URL: fixtures.instance.origin };
  const line = { words: ["login", "--token-stdin"], env, stdin: fixtures.owner.token, home: await newHome(stage) };
  const { code, stderr } = await run(line);
  if (code !== 0) throw new Error(`login ended with ${code}: ${stderr}`);
  return { env, home: line.home };
}
