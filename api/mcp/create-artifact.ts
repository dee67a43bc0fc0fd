// `create_artifact`: publishes. Where the slug is taken, `ifExists` decides: the next version of the existing artifact
// under the wanted title, description and access, or that artifact unchanged.
import { AppError } from "@plinth/contract/errors";
import type { Input, Output } from "@plinth/contract/registry";
import { directoryOf, manifestText } from "@plinth/contract/publishing/file-path";
import { reuseBar } from "@plinth/contract/reuse";
import type { Artifact, Version } from "@plinth/contract/schemas/artifact";
import { holdsScope } from "@plinth/domain/access/principal";
import { hashOfText } from "@plinth/domain/storage/pack";

import type { Arguments } from "./arguments.ts";
import { callerOf, perform, tryOut, type Attempted, type Exchange } from "./exchange.ts";
import { accessText, notTakenText } from "./item-lines.ts";
import { missingLines } from "./missing-lines.ts";
import { requireConsent } from "./public-consent.ts";
import type { ToolAnswer } from "./result.ts";
import { withPart } from "./set-access.ts";
import { artifactText } from "./summaries.ts";

type Action = "created" | "updated" | "unchanged" | "returned";

export async function publish(
  exchange: Exchange,
  { own, ...sent }: Arguments,
  attempted: Attempted,
): Promise<ToolAnswer> {
  try {
    const { access } = sent.input as Partial<Input<"artifact.create">>;
    const isAsked = attempted.person.canAsk && access?.publicView === true;
    if (isAsked && attempted.person.answer !== "allowed") {
      const { value } = await tryOut(exchange, "artifact.create", sent);
      requireConsent(attempted.person, (value as Artifact).title);
    }
    const { value } = await perform(exchange, "artifact.create", sent, attempted);
    return describe("created", value as Artifact);
  } catch (error) {
    const { ifExists } = own;
    if (!(error instanceof AppError) || error.code !== "slug_conflict") throw error;
    const artifactId = error.extra["artifactId"];
    if (typeof artifactId !== "string" || (ifExists !== "update" && ifExists !== "return")) throw withAdvice(error);
    const there = await called(exchange, "artifact.get", { artifactId });
    return ifExists === "return"
      ? describe("returned", there)
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
): Promise<ToolAnswer> {
  const { artifactId } = there;
  requireReusable(wanted, there);
  const [head] = (await called(exchange, "version.list", { artifactId, limit: 1 })).versions;
  const place = wanted.documentPath ?? wanted.sourcePath ?? there.sourcePath ?? undefined;
  // Another caller may have published it between the two reads.
  const latestVersion = head?.versionNumber ?? there.latestVersion;
  const isAsSent = head !== undefined && head.sha256 === hashOf(wanted, exchange) && hasFiles(head, wanted, place);
  const unpacked =
    wanted.archiveSha256 === undefined
      ? null
      : await ofArchive(exchange, wanted, { ...there, latestVersion }, attempted);
  const isUnchanged = unpacked === null ? isAsSent : unpacked.unchanged === true;
  const published =
    unpacked ??
    (isUnchanged
      ? { ...there, latestVersion }
      : { ...there, ...(await newVersion(exchange, wanted, { artifactId, latestVersion, place }, attempted)) });
  const { changed, left, ...details } = await withDetails(exchange, wanted, there);
  const outcome = { ...published, ...details };
  return describe(isUnchanged && changed.length === 0 ? "unchanged" : "updated", outcome, {
    text: isUnchanged ? "unchanged" : "updated",
    changed,
    left,
  });
}

interface Under {
  readonly artifactId: string;
  readonly latestVersion: number;
  /** Where the text stands among its files. */
  readonly place: string | undefined;
}

/** An archive is compared with what is there once it is unpacked. */
const ofArchive = (
  exchange: Exchange,
  { archiveSha256, documentPath, changelog }: Input<"artifact.create">,
  { ownerUsername: owner, projectSlug, slug, type, title, latestVersion: expectedLatestVersion }: Artifact,
  attempted: Attempted,
): Promise<Output<"artifact.put">> =>
  called(
    exchange,
    "artifact.put",
    {
      ...{ owner, projectSlug, slug, type, title, expectedLatestVersion },
      ...(archiveSha256 !== undefined && { archiveSha256 }),
      ...(documentPath !== undefined && { documentPath }),
      ...(changelog !== undefined && { changelog }),
    },
    attempted,
  );

async function newVersion(
  exchange: Exchange,
  { content, contentSha256, changelog, files }: Input<"artifact.create">,
  { artifactId, latestVersion, place }: Under,
  attempted: Attempted,
): Promise<Pick<Artifact, "latestVersion" | "missing" | "updatedAt">> {
  const { versionNumber, createdAt, missing } = await called(
    exchange,
    "version.create",
    {
      artifactId,
      ...(content !== undefined && { content }),
      ...(contentSha256 !== undefined && { contentSha256 }),
      expectedLatestVersion: latestVersion,
      ...(changelog !== undefined && { changelog }),
      ...(files !== undefined && { files, ...(place !== undefined && { documentPath: place }) }),
    },
    attempted,
  );
  return { latestVersion: versionNumber, updatedAt: createdAt, ...(missing !== undefined && { missing }) };
}

/** Fields that were set as wanted, and those that were not. */
interface Details extends Partial<Pick<Artifact, "title" | "access">> {
  readonly changed: readonly string[];
  readonly left: readonly string[];
}

/**
 * Title, description and access as wanted. Access is only narrowed: a private artifact is not made public, nor open for
 * everyone's edits, because the caller may not know why it was closed.
 */
async function withDetails(exchange: Exchange, wanted: Input<"artifact.create">, there: Artifact): Promise<Details> {
  const { artifactId } = there;
  const { title, description } = wanted;
  const names = {
    ...(title !== there.title && { title }),
    ...(description !== undefined && description !== there.description && { description }),
  };
  if (Object.keys(names).length > 0) await called(exchange, "artifact.patch", { artifactId, ...names });
  const access = await withAccess(exchange, wanted.access, there);
  return {
    title,
    ...(typeof access === "object" && { access }),
    changed: [...Object.keys(names), ...(typeof access === "object" ? ["access"] : [])],
    left: access === "left" ? ["access"] : [],
  };
}

type GivenAccess = Input<"artifact.create">["access"];

async function withAccess(
  exchange: Exchange,
  wanted: GivenAccess,
  { artifactId, access, permissions }: Artifact,
): Promise<Artifact["access"] | "as wanted" | "left"> {
  const { publicView, publicEdit, viewerEmails } = wanted;
  const isWider = (publicView && !access.publicView) || (publicEdit && !access.publicEdit);
  if (isWider) return "left";
  if (publicEdit === access.publicEdit && viewerEmails === undefined) return "as wanted";
  const caller = callerOf(exchange);
  if (!permissions.manageAccess || caller === null || !holdsScope(caller, "artifacts:access:read")) return "left";
  const before = await called(exchange, "access.get", { artifactId });
  const after = await called(exchange, "access.update", { artifactId, ...withPart(before, wanted) });
  return Bun.deepEquals(before, after) ? "as wanted" : { publicView: after.publicView, publicEdit: after.publicEdit };
}

const hashOf = (
  { content, contentSha256 }: Input<"artifact.create">,
  { packed }: Pick<Exchange, "packed">,
): string | undefined => (content === undefined ? contentSha256 : hashOfText(content, packed));

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

type Called =
  | "artifact.put"
  | "access.get"
  | "access.update"
  | "artifact.get"
  | "artifact.patch"
  | "version.list"
  | "version.create";

async function called<Name extends Called>(
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
  returned: (artifact) => `was there already, and nothing was written: ${artifactText(artifact)}.`,
};

/** What became of an artifact that was there. */
interface OnTop extends Pick<Details, "changed" | "left"> {
  readonly text: "updated" | "unchanged";
}

const nothing: Pick<Details, "changed" | "left"> = { changed: [], left: [] };

function describe(
  action: Action,
  artifact: Artifact,
  { text, changed, left }: Partial<OnTop> & typeof nothing = nothing,
): ToolAnswer {
  const { artifactId, url, access, missing, notTaken } = artifact;
  const sentence = [
    `${url} ${outcomes[text ?? action](artifact)}`,
    ...(changed.length > 0 ? [`Set as you sent: ${changed.join(", ")}.`] : []),
    ...(left.length > 0
      ? [`Its access was left as it is, ${accessText(access)}: set_artifact_access changes it.`]
      : []),
    ...(action === "returned" ? [] : [`Its artifactId is ${artifactId}.`]),
  ].join(" ");
  return {
    summary: [sentence + notTakenText(notTaken), ...missingLines(missing)].join("\n"),
    app: { artifactId },
  };
}
