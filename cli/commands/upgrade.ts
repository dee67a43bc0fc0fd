// `plinth upgrade`: the client of the instance in place of this one.
import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { npmLine } from "@plinth/contract/guides/install";

import { jsonFormat, local, type Command } from "../command/command.ts";
import type { Context } from "../command/context.ts";
import { clientFailure, usage } from "../failure/failure.ts";
import type { Result } from "../output/print.ts";
import { exactly, text, textOrNull, yes } from "../output/schemas.ts";
import { isLoopbackHost } from "../session/settings.ts";
import { target, version } from "../version.ts";
import type { Io } from "../io/io.ts";

// Detects the installation method of this program from the paths that it runs from.
type Installed =
  | { readonly form: "executable"; readonly path: string }
  /** `prefix` is null where it is npm's own. */
  | { readonly form: "npm"; readonly prefix: string | null }
  | { readonly form: "npx" }
  | { readonly form: "source" };

/** Where Bun's executables have their script. */
const inExecutable = /^(?:\/\$bunfs\/|[A-Za-z]:[\\/]~BUN[\\/])/;

function installedForm({ script, executable }: Io["program"]): Installed {
  if (inExecutable.test(script)) return { form: "executable", path: executable };
  const path = resolved(script);
  if (/[\\/]_npx[\\/]/.test(path)) return { form: "npx" };
  if (path.endsWith(".ts")) return { form: "source" };
  const [, folder = ""] = /^(.*)[\\/]node_modules[\\/]plinth-cli[\\/]/.exec(path) ?? [];
  // npm's own prefix is the one that node is in.
  const prefix = folder.replace(/[\\/]lib$/, "");
  return {
    form: "npm",
    prefix: prefix === folder || prefix === dirname(dirname(resolved(executable))) ? null : prefix,
  };
}

function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

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
      { hint: "Ask its operator how to install plinth" },
    );
  if (installed.form !== "executable") {
    await send(new Request(`${baseUrl}/api/health`));
    const has = context.serverVersion();
    progress(
      has === version
        ? `${baseUrl} has plinth ${version}, as this is. To install it again:`
        : `${baseUrl} has plinth ${has ?? "of an unknown version"}, and this is ${version}. Run:`,
    );
    return {
      value: { action: has === version ? "unchanged" : "manual", version: context.serverVersion(), ...shown },
      text: () => shown.command ?? "",
    };
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
