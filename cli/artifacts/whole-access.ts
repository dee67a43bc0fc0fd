// The access object that a line means where it gives only a part of it: the rest stays as it is.
import type { Context } from "../command/context.ts";
import { usage } from "../failure/failure.ts";

type Input = Readonly<Record<string, unknown>>;

const parts = ["publicView", "publicEdit", "viewerEmails"] as const;

/** @throws Failure usage, ProblemError */
export async function wholeAccess(input: Input, context: Context): Promise<Input> {
  // A body is the whole object, as the server takes it.
  if (typeof context.flags["json"] === "string") return input;
  const missing = parts.filter((part) => input[part] === undefined);
  if (missing.length === 0) return input;
  if (missing.length === parts.length)
    throw usage("artifact access set needs --[no-]public-view, --[no-]public-edit or --viewer-emails", {
      hint: "What is not given stays as it is",
      next: "plinth artifact access set --help",
    });
  if (context.settings.dryRun)
    throw usage("--dry-run sends nothing, and so cannot ask for the access that there is", {
      hint: "Give --[no-]public-view, --[no-]public-edit and --viewer-emails",
    });
  const client = await context.api();
  const access: Input = await client.call("access.get", { artifactId: String(input["artifactId"]) });
  return { ...input, ...Object.fromEntries(missing.map((part) => [part, access[part]])) };
}
