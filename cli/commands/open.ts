// `plinth artifact open`: the address of an artifact, shown in the person's browser where there is one.
import { registry } from "@plinth/contract/registry";
import type { Artifact } from "@plinth/contract/schemas/artifact";

import { subjectWords } from "../arguments/subject.ts";
import { artifactHint, artifactPathOf, type ArtifactPath } from "../artifacts/artifact-name.ts";
import { jsonFormat, type Command } from "../command/command.ts";
import type { Context } from "../command/context.ts";
import { usage } from "../failure/failure.ts";
import type { Flags, Values } from "../flags/flags.ts";
import { artifactFlag, inputFlags } from "../flags/input-flags.ts";
import { hasBrowser } from "../login/method.ts";
import { preview } from "../output/preview.ts";
import type { Result } from "../output/print.ts";
import { oneLine } from "../terminal/style.ts";

const { version } = inputFlags(registry["version.content"]);

const flags: Flags = {
  "artifact-id": { type: "string", ...artifactFlag },
  owner: { type: "string", valueHint: "name", description: "Account it is published under, with --slug" },
  "project-slug": { type: "string", valueHint: "slug", description: "Its project, with --slug" },
  slug: { type: "string", valueHint: "slug", description: "Its slug, instead of its identifier" },
  ...(version && { version: { ...version, description: "This version rather than the latest" } }),
  json: jsonFormat,
};

export const openCommand: Command = {
  path: "artifact open",
  summary: "Open an artifact's page in your browser, and print its address",
  description: "Only prints it under --no-input, over SSH, and where there is no display.",
  flags,
  subject: { kind: "artifact" },
  positionals: subjectWords({ kind: "artifact" }),
  short: "open",
  stdin: null,
  effect: "read",
  idempotent: true,
  checkable: false,
  confirm: false,
  operation: registry["artifact.get"],
  output: {
    type: "object",
    properties: { url: { type: "string" }, artifactId: { type: "string" }, opened: { type: "boolean" } },
  },
  examples: ["plinth artifact open ada/demo/report", "plinth artifact open art_01jd8w3c5t7k9m2n4p6q8r0s1v --version 2"],
  run,
};

async function run(context: Context, { flags: given }: Values): Promise<Result> {
  const { settings, io, progress } = context;
  const named = nameOf(given, context);
  if (settings.dryRun)
    return preview(
      typeof named === "string"
        ? context.requestBuilder.request("artifact.get", { artifactId: named })
        : context.requestBuilder.request("artifact.getByPath", named),
    );
  const client = await context.api();
  const artifact: Artifact =
    typeof named === "string"
      ? await client.call("artifact.get", { artifactId: named })
      : await client.call("artifact.getByPath", named);
  const url = addressOf(artifact, given["version"]);
  const opened = !settings.noInput && hasBrowser(io) && (await io.openBrowser(url));
  if (!opened) progress("No browser was opened");
  return { value: { url, artifactId: artifact.artifactId, opened }, text: () => oneLine(url) };
}

/** An identifier, or the path that one of the ways to name it gives. @throws Failure usage */
function nameOf(given: Values["flags"], context: Context): string | ArtifactPath {
  const { slug, owner, "project-slug": projectSlug, "artifact-id": name } = given;
  if (typeof slug !== "string") {
    if (typeof name === "string") return artifactPathOf(name, context) ?? name;
    throw usage("artifact open needs an artifact", {
      hint: `Give ${artifactHint}`,
      next: "plinth artifact open --help",
    });
  }
  if (name !== undefined)
    throw usage("The artifact is named twice", { hint: "Give --slug alone, with --owner and --project-slug" });
  if (typeof owner === "string" && typeof projectSlug === "string") return { owner, projectSlug, slug };
  throw usage("--slug needs --owner and --project-slug", { hint: "A .plinth.json may give them" });
}

function addressOf({ url: given }: Artifact, version: unknown): string {
  const url = new URL(given);
  if (typeof version === "number") url.searchParams.set("v", `${version}`);
  return url.href;
}
