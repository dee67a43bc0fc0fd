// Editing in the person's own editor. The text lies in a private temporary directory, and stays there where it could not
// be published.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { contentBytes, slugLength, slugPattern } from "@plinth/contract/limits";
import type { Artifact, Version } from "@plinth/contract/schemas/artifact";

import { toFailure } from "../command/error-hints.ts";
import { readFileBounded } from "../files/bounded-read.ts";
import type { Context } from "../command/context.ts";
import { clientFailure, Failure, ownFailure, usage } from "../failure/failure.ts";
import { requireWithinLimit } from "../io/reader.ts";
import { editorOf } from "../io/editor.ts";
import { readHead, type Head, type Publishing } from "./target.ts";

/** Opens the latest text and publishes what became of it; the head where nothing did. @throws Failure, ProblemError */
export async function editInEditor(publishing: Publishing, context: Context): Promise<Version> {
  const { settings, io, progress } = context;
  requireTerminal(context);
  if (settings.dryRun)
    throw usage("--dry-run sends nothing, and so has no text to edit", { hint: "Use --check, or give --replace" });
  const editor = editorOf(io);
  const client = await context.api();
  const artifact = await client.call("artifact.get", { artifactId: publishing.artifactId });
  const head = await readHead(publishing, context);
  const draft = await writeDraft(artifact, head.content);
  progress(`v${head.versionNumber} is open in your editor: ${draft}`);
  const status = await io.runEditor(editor, draft);
  const content = await readDraft(draft);
  if (content === head.content) {
    await discard(draft);
    if (status !== 0) throw usage(`The editor ended with ${status}; nothing was published`);
    progress("Unchanged: nothing was published");
    const [version] = (await client.call("version.list", { artifactId: artifact.artifactId, limit: 1 })).versions;
    if (version !== undefined) return version;
    throw clientFailure("not_found", "The artifact has no version any more");
  }
  try {
    if (status !== 0) throw usage(`The editor ended with ${status}; nothing was published`);
    if (content === null) throw usage("What the editor left is not UTF-8 text; nothing was published");
    if (content === "") throw usage("The text is empty; nothing was published");
    const version = await client.call(
      "version.create",
      { ...publishing, content, expectedLatestVersion: head.versionNumber },
      { dryRun: settings.check },
    );
    if (!settings.check) await discard(draft);
    else progress(`Your text is in ${draft}`);
    return version;
  } catch (error) {
    throw keepDraft(error, draft, head, context);
  }
}

function requireTerminal({ settings, io }: Context): void {
  const remedy = { hint: "Give --replace and --with, or the edits with --json", next: "plinth artifact edit --help" };
  if (!io.stdin.isTerminal || !io.stderr.isTerminal || !io.stdout.isTerminal)
    throw usage("artifact edit needs --replace and --with where there is no terminal", remedy);
  if (settings.noInput)
    throw ownFailure("input_needed", "An editor needs a person, and the command may not ask", remedy);
}

/** In a new directory that only this user can read, under a name that tells an editor the language. */
async function writeDraft({ slug, type }: Artifact, content: string): Promise<string> {
  const isPlain = slug.length <= slugLength && new RegExp(slugPattern).test(slug);
  const directory = await mkdtemp(join(tmpdir(), "plinth-edit-"));
  const path = join(directory, `${isPlain ? slug : "artifact"}.${extensions[type]}`);
  await writeFile(path, content, { mode: 0o600, flag: "wx" });
  return path;
}

const extensions = { md: "md", html: "html", jsx: "jsx" } as const satisfies Record<Artifact["type"], string>;

/** Null where it is no text any more. */
async function readDraft(path: string): Promise<string | null> {
  const bytes = requireWithinLimit(contentBytes.max, path, await readFileBounded(path, contentBytes.max));
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const text = decoder.decode(bytes);
  return Buffer.from(text).equals(bytes) ? text : null;
}

const discard = (draft: string): Promise<void> => rm(dirname(draft), { recursive: true, force: true });

/** The same failure, which says where the text is and how to go on with it. */
function keepDraft(error: unknown, draft: string, { artifactId, versionNumber }: Head, context: Context): Failure {
  const failure = toFailure(error, "artifact edit", context.used());
  const { problem } = failure;
  const isConflict = problem.code === "version_conflict";
  const base = isConflict && typeof problem["latestVersion"] === "number" ? problem["latestVersion"] : versionNumber;
  const look = isConflict
    ? ` Look at what changed (plinth artifact diff ${artifactId} --from ${versionNumber} --to ${base}), take it into your text,`
    : " Mend it,";
  return new Failure(
    { ...problem, hint: `Your text is kept in ${draft}.${look} and publish that` },
    `plinth artifact update --artifact-id ${artifactId} --file ${draft} --expected-latest-version ${base}`,
    failure.cause,
  );
}
