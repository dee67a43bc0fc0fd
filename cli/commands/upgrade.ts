// `plinth upgrade`: the client of the instance in place of this one.
import { npmLine } from "@plinth/contract/guides/install";

import { jsonFormat, local, type Command } from "../command/command.ts";
import type { Context } from "../command/context.ts";
import { clientFailure, usage } from "../failure/failure.ts";
import type { Result } from "../output/print.ts";
import { exactly, text, textOrNull, yes } from "../output/schemas.ts";
import { isLoopbackHost } from "../session/settings.ts";
import { installedForm, type Installed } from "../upgrade/installed.ts";
import { target, version } from "../version.ts";

export const upgradeCommand: Command = {
  ...local,
  path: "upgrade",
  summary: "Replace this client by that of the instance",
  description: "An executable replaces itself; where npm installed plinth, it prints the line for npm.",
  flags: { json: jsonFormat },
  stdin: null,
  idempotent: true,
  previews: true,
  errors: ["not_found", "unavailable", "internal"],
  output: exactly(
    {
      action: { enum: ["upgraded", "unchanged", "manual"] },
      version: textOrNull,
      before: text,
      command: { ...textOrNull, description: "What to run where it cannot replace itself" },
      dryRun: yes,
    },
    ["dryRun"],
  ),
  textOutput: "the line for npm, or nothing",
  examples: ["plinth upgrade", "plinth upgrade --base-url https://plinth.example.com"],
  run: upgrade,
};

async function upgrade(context: Context): Promise<Result> {
  const { io, settings, progress, send } = context;
  const { baseUrl } = settings;
  const installed = installedForm(io.program);
  if (installed.form === "source")
    throw usage("plinth runs from its source here", { hint: "Update the checkout instead" });
  const shown = { before: version, command: commandOf(installed, baseUrl) };
  if (settings.dryRun)
    return { value: { dryRun: true, action: shown.command === null ? "upgraded" : "manual", version: null, ...shown } };
  if (installed.form === "executable") requireTrusted(context);
  const sums = await send(new Request(`${baseUrl}/_cli/SHA256SUMS`));
  if (!sums.ok)
    throw clientFailure(
      sums.status === 404 ? "not_found" : "unavailable",
      `${baseUrl} does not hand out a command line`,
      {
        hint: "Ask its operator how to install plinth",
      },
    );
  if (installed.form !== "executable") {
    await send(new Request(`${baseUrl}/api/health`));
    progress(
      `${baseUrl} has plinth ${context.serverVersion() ?? "of an unknown version"}, and this is ${version}. Run:`,
    );
    return { value: { action: "manual", version: context.serverVersion(), ...shown }, text: () => shown.command ?? "" };
  }
  const { replaceExecutable } = await import("../upgrade/replace-executable.ts");
  const replaced = await replaceExecutable({
    path: installed.path,
    name: `plinth-${target}`,
    baseUrl,
    sums: await sums.text(),
    send,
  });
  if ("refusal" in replaced)
    throw clientFailure(replaced.refusal, replaced.detail, { hint: `With Node 20 or newer: ${npmLine(baseUrl)}` });
  const { action } = replaced;
  progress(
    action === "unchanged"
      ? `plinth ${replaced.version} is what ${baseUrl} hands out`
      : `plinth ${replaced.version} is installed; it was ${version}`,
  );
  return { value: { ...replaced, ...shown }, text: () => "" };
}

/** What the person runs; null where the program replaces itself. */
function commandOf(installed: Installed, baseUrl: string): string | null {
  switch (installed.form) {
    case "npm":
      return `${npmLine(baseUrl)}${installed.prefix === null ? "" : ` --prefix ${installed.prefix}`}`;
    case "npx":
      return `npx --yes ${baseUrl}/cli.tgz`;
    default:
      return null;
  }
}

/** Programs come encrypted, or from this machine, or as the user says. @throws Failure usage */
function requireTrusted({ io, settings: { baseUrl } }: Context): void {
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === "https:" || isLoopbackHost(hostname) || io.env["PLINTH_ALLOW_HTTP"] === "1") return;
  throw usage(`${baseUrl} is not an https address: anyone on the way could change the program`, {
    hint: "PLINTH_ALLOW_HTTP=1 upgrades all the same",
  });
}
