// Runs `diff`: compares a local file, with the files that go with it, with the latest version.
import { resolve, sep } from "node:path";

import type { Client } from "@plinth/contract/client";
import type { Artifact } from "@plinth/contract/schemas/artifact";

import { artifactIdOf } from "../artifacts/artifact-name.ts";
import { projectArtifacts } from "../artifacts/project-artifacts.ts";
import type { Context } from "../command/context.ts";
import { clientFailure, usage } from "../failure/failure.ts";
import type { Values } from "../flags/flags.ts";
import { diffText } from "../output/diff-text.ts";
import type { Result } from "../output/print.ts";
import { atSourcePath } from "../push/find-files.ts";
import type { NamedFile } from "../push/named-files.ts";
import type { Push } from "../push/push.ts";
import { finderFor, projectFor, readPush, withPathSlug, type PushFlags } from "../push/request.ts";

/** The longest source path that the absolute path ends with, so that any working directory finds it. */
export function artifactOfFile(
  path: string,
  slugs: readonly string[],
  artifacts: readonly Artifact[],
): Artifact | null {
  const local = path.split(sep).join("/").normalize("NFC");
  const bySource = artifacts.filter(({ sourcePath }) => sourcePath && local.endsWith(`/${sourcePath}`));
  const [found] = bySource.toSorted((one, other) => (other.sourcePath?.length ?? 0) - (one.sourcePath?.length ?? 0));
  return found ?? artifacts.find(({ slug, sourcePath }) => !sourcePath && slugs.includes(slug)) ?? null;
}

interface DiffRequest {
  readonly file: string;
  /** An artifact's name where the line gives one. */
  readonly artifact: string | undefined;
  readonly values: Values;
  readonly exitCode: boolean;
}

/** @throws Failure, ProblemError */
export async function diffFile(
  { file: name, artifact, values, exitCode }: DiffRequest,
  context: Context,
): Promise<Result> {
  const flags = values.flags as PushFlags;
  const file: NamedFile = { name, within: null };
  const read = await readPush(
    file,
    artifact === undefined ? projectFor(values, needsProject) : () => "",
    flags,
    context.reader,
    finderFor([file], flags, context.io),
  );
  const client = await context.api();
  const found =
    artifact === undefined
      ? await findArtifact(read, flags, context, client)
      : await client.call("artifact.get", { artifactId: await artifactIdOf(artifact, context) });
  const push = found.sourcePath ? atSourcePath(read, found.sourcePath) : read;
  const { artifactId } = found;
  const [head] = (await client.call("version.list", { artifactId, limit: 1 })).versions;
  const version = head?.versionNumber ?? found.latestVersion;
  const published =
    head?.sha256 === push.source.sha256 ? push.source.content : await contentOf(artifactId, version, client);
  const { filesDiff, filesText, textDiff } = await import("./local-diff.ts");
  const text = textDiff(published, push.source.content, { from: `${name} (v${version})`, to: name });
  const isSame = (head?.files?.sha256 ?? undefined) === push.filesSha256;
  const before =
    isSame || !head?.files?.count
      ? []
      : (await client.call("version.files", { artifactId, versionNumber: version })).files;
  const files = filesDiff(before, isSame ? [] : (push.body.files ?? []));
  const shown = text.diff + filesText(files);
  return {
    value: { artifactId, url: found.url, version, isSame: shown === "", ...text, files },
    text: (style) => diffText(shown, style),
    ...(exitCode && shown !== "" && { exitCode: 1 as const }),
  };
}

const needsProject = () =>
  usage("diff needs a project or an artifact", {
    hint: "Give --project-slug or --artifact-id; a .plinth.json may name the project",
  });

async function findArtifact(push: Push, flags: PushFlags, context: Context, client: Client): Promise<Artifact> {
  const { projectSlug } = push.body;
  const artifacts = await projectArtifacts({ owner: flags.owner, projectSlug }, client);
  const slugs = [push.body.slug, (await withPathSlug(push)).body.slug];
  const path = resolve(context.io.directory, push.file.name);
  const found = artifactOfFile(
    path,
    slugs,
    artifacts.filter(({ type }) => type === push.body.type),
  );
  if (found !== null) return found;
  throw clientFailure("not_found", `No artifact of the project ${projectSlug} is of ${push.file.name}`, {
    hint: "It may not be published yet; name another artifact with --artifact-id",
    next: `plinth push --project-slug ${projectSlug} ${push.file.name}`,
  });
}

async function contentOf(artifactId: string, version: number, client: Client): Promise<string> {
  const response = await client.send("version.content", { artifactId, version }, { headers: { accept: "*/*" } });
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(await response.arrayBuffer());
}
