// `create_artifact`: publishes. Where the slug is taken, `ifExists` decides: the next version of the existing artifact,
// or that artifact unchanged. The operations and the rule are those of `plinth push --ensure`.
import { AppError } from "@plinth/contract/errors";
import { Published } from "@plinth/contract/mcp/shapes";
import type { Input, Output } from "@plinth/contract/registry";
import { directoryOf, manifestText } from "@plinth/contract/publishing/file-path";
import { reuseBar } from "@plinth/contract/reuse";
import type { Artifact, Version } from "@plinth/contract/schemas/artifact";
import { cut } from "@plinth/domain/output";

import type { Arguments } from "./arguments.ts";
import { perform, type Attempted, type Exchange } from "./exchange.ts";
import type { Told } from "./result.ts";

type Action = Published["action"];

export async function publish(exchange: Exchange, { own, ...sent }: Arguments, attempted: Attempted): Promise<Told> {
  try {
    const { value } = await perform(exchange, "artifact.create", sent, attempted);
    return told("created", value as Artifact);
  } catch (error) {
    const { ifExists } = own;
    if (!(error instanceof AppError) || error.code !== "slug_conflict") throw error;
    const artifactId = error.extra["artifactId"];
    if (typeof artifactId !== "string" || (ifExists !== "update" && ifExists !== "return")) throw withAdvice(error);
    const there = await called(exchange, "artifact.get", { artifactId });
    return ifExists === "return"
      ? told("returned", there)
      : publishOnTop(exchange, sent.input as Input<"artifact.create">, there, attempted);
  }
}

const withAdvice = (error: AppError): AppError =>
  new AppError(error.code, error.message, {
    ...error.extra,
    hint: `${error.extra.hint ?? "Take another slug"}, or send ifExists: update`,
  });

async function publishOnTop(
  exchange: Exchange,
  wanted: Input<"artifact.create">,
  there: Artifact,
  attempted: Attempted,
): Promise<Told> {
  const { artifactId } = there;
  requireReusable(wanted, there);
  const [head] = (await called(exchange, "version.list", { artifactId, limit: 1 })).versions;
  const place = wanted.documentPath ?? wanted.sourcePath ?? there.sourcePath ?? undefined;
  // Another caller may have published it between the two reads.
  if (head !== undefined && head.sha256 === hashOf(wanted) && hasFiles(head, wanted, place))
    return told("unchanged", { ...there, latestVersion: head.versionNumber });
  const { content, contentSha256, changelog, files } = wanted;
  const { versionNumber, createdAt } = await called(
    exchange,
    "version.create",
    {
      artifactId,
      ...(content !== undefined && { content }),
      ...(contentSha256 !== undefined && { contentSha256 }),
      expectedLatestVersion: head?.versionNumber ?? there.latestVersion,
      ...(changelog !== undefined && { changelog }),
      ...(files !== undefined && { files, ...(place !== undefined && { documentPath: place }) }),
    },
    attempted,
  );
  return told("updated", { ...there, latestVersion: versionNumber, updatedAt: createdAt });
}

const hashOf = ({ content, contentSha256 }: Input<"artifact.create">): string | undefined =>
  content === undefined ? contentSha256 : new Bun.CryptoHasher("sha256").update(content).digest("hex");

/** Whether the version has the files that are to be published; those that are left out stay as they are. */
function hasFiles({ files: has }: Version, { files }: Input<"artifact.create">, place = ""): boolean {
  if (files === undefined) return true;
  if (files.length === 0) return has.count === 0;
  return has.sha256 === new Bun.CryptoHasher("sha256").update(manifestText(directoryOf(place), files)).digest("hex");
}

function requireReusable(wanted: Input<"artifact.create">, there: Artifact): void {
  const bar = reuseBar(wanted, there);
  if (bar === null) return;
  const { artifactId, url } = there;
  const [what, hint] =
    bar === "type"
      ? [`is ${there.type}, not ${wanted.type}`, "Take another slug; the type of an artifact never changes"]
      : ["is public, and this was to be private", "Make it private first, or take another slug"];
  throw new AppError("slug_conflict", `The artifact at ${url} ${what}; nothing was written`, { artifactId, hint });
}

async function called<Name extends "artifact.get" | "version.list" | "version.create">(
  exchange: Exchange,
  name: Name,
  input: Input<Name>,
  attempted?: Attempted,
): Promise<Output<Name>> {
  return (await perform(exchange, name, { input, errors: [] }, attempted)).value as Output<Name>;
}

const outcomes: Readonly<Record<Action, (artifact: Artifact) => string>> = {
  created: ({ access }) => `is published as version 1, ${access.publicView ? "for anyone to view" : "private"}.`,
  updated: ({ latestVersion }) => `was there already; this is its version ${latestVersion}.`,
  unchanged: ({ latestVersion }) => `has this very text already, as version ${latestVersion}.`,
  returned: ({ latestVersion }) => `was there already, at version ${latestVersion}; nothing was written.`,
};

function told(action: Action, artifact: Artifact): Told {
  const { artifactId, url } = artifact;
  return {
    summary: `${url} ${outcomes[action](artifact)} Its artifactId is ${artifactId}.`,
    value: cut(Published, { ...artifact, action }) as Record<string, unknown>,
  };
}
