// Runs `pull`: reads a project, and writes the files that are missing or older in the folder.
import { mkdir, realpath } from "node:fs/promises";
import { resolve } from "node:path";

import type { Client } from "@plinth/contract/client";
import type { Artifact } from "@plinth/contract/schemas/artifact";
import { createKeyedSemaphore } from "@plinth/platform/keyed-semaphore";

import { ownName, projectArtifacts, type ProjectName } from "../artifacts/project-artifacts.ts";
import type { Context } from "../command/context.ts";
import { clientFailure, ownFailure, usage } from "../failure/failure.ts";
import { digestOf } from "../files/digest.ts";
import type { Result } from "../output/print.ts";
import { oneLine } from "../terminal/style.ts";
import { rememberedVersions, type RememberedVersions } from "../push/version-hashes.ts";
import { layOut, type Entry, type Published, type Refused } from "./layout.ts";
import { localFile, writeLocalFile } from "./local-files.ts";

const atOnce = 4;
/** Earlier versions in which a file of the folder is looked for. */
const versionsMax = 100;
const fileVersionsMax = 20;

interface Pull {
  readonly project: ProjectName;
  /** As it is given. */
  readonly folder: string;
  readonly force: boolean;
}

/** Writes nothing where it would overwrite changes. @throws Failure, ProblemError */
export async function pull({ project, folder, force }: Pull, context: Context): Promise<Result> {
  const { io, settings, progress, status } = context;
  const client = await context.api();
  const owner = project.owner ?? (await ownName(client));
  const artifacts = await projectArtifacts({ ...project, owner }, client);
  // An empty project is an empty folder; one that is not there is not found.
  if (artifacts.length === 0) await client.call("project.getByPath", { owner, projectSlug: project.projectSlug });
  const turns = createKeyedSemaphore({ atOnce, ofOneCaller: atOnce });
  const inTurn = <Value>(work: () => Promise<Value>) => turns("", work);
  const place = { origin: settings.baseUrl, owner: project.owner, projectSlug: project.projectSlug };
  const versions = rememberedVersions(io.env, place, settings.debug ? progress : () => {});
  const published = await Promise.all(artifacts.map((artifact) => inTurn(() => latestOf(artifact, client, versions))));
  if (!settings.check) await versions.save();
  const { entries, refused } = layOut(published, io.platform);

  const root = resolve(io.directory, folder);
  if (!settings.check) await mkdir(root, { recursive: true });
  const target = await realpath(root).catch(() => root);
  const leftOut: Refused[] = [...refused];
  const unchanged: Entry[] = [];
  const wanted: Entry[] = [];
  const changed: Entry[] = [];
  const history = createHistory(client);
  for (const entry of entries) {
    const now = await localFile(target, entry.path);
    if (now === null) wanted.push(entry);
    else if ("refused" in now) leftOut.push({ path: entry.path, reason: now.refused });
    else if (now.sha256 === entry.sha256) unchanged.push(entry);
    else if (force || (await history.has(entry, now.sha256))) wanted.push(entry);
    else changed.push(entry);
  }
  if (changed.length > 0) throw changesFailure(changed, folder);

  let done = 0;
  const write = async (entry: Entry): Promise<void> => {
    if (!settings.check) await writeLocalFile(target, entry.path, await bytesOf(entry, client));
    status(`${++done}/${wanted.length} ${oneLine(entry.path)}`);
  };
  await Promise.all(wanted.map((entry) => inTurn(() => write(entry))));
  status("");
  const word = settings.check ? "would be written" : "written";
  progress(`${wanted.length} ${word}, ${unchanged.length} unchanged in ${oneLine(folder)}`);
  for (const { path, reason } of leftOut) progress(`left out: ${oneLine(path)}: ${oneLine(reason)}`);
  const paths = wanted.map(({ path }) => path).sort();
  return {
    value: {
      directory: root,
      written: paths,
      unchanged: unchanged.length,
      leftOut,
      ...(settings.check && { dryRun: true }),
    },
    text: () => paths.map(oneLine).join("\n"),
    ...(leftOut.length > 0 && { failure: leftOutFailure(leftOut) }),
  };
}

async function latestOf(artifact: Artifact, client: Client, versions: RememberedVersions): Promise<Published> {
  const { artifactId, latestVersion } = artifact;
  const { versionNumber, sha256, filesSha256 } =
    versions.find(artifactId, latestVersion) ?? (await askLatest(artifact, client, versions));
  return {
    artifact,
    versionNumber,
    sha256,
    files: filesSha256 === null ? null : await client.call("version.files", { artifactId, versionNumber }),
  };
}

async function askLatest({ artifactId, url }: Artifact, client: Client, versions: RememberedVersions) {
  const [head] = (await client.call("version.list", { artifactId, limit: 1 })).versions;
  if (head === undefined) throw clientFailure("not_found", `${url} has no version`);
  const { versionNumber, sha256, files } = head;
  const hashes = { versionNumber, sha256, filesSha256: files?.sha256 ?? null };
  versions.remember(artifactId, hashes);
  return hashes;
}

/** The bytes, which have the hash that the list said. @throws Failure internal */
async function bytesOf(entry: Entry, client: Client): Promise<Uint8Array> {
  const { artifact, versionNumber: version, filePath, sha256, path } = entry;
  const { artifactId } = artifact;
  const accept = { headers: { accept: "*/*" } };
  const response =
    filePath === null
      ? await client.send("version.content", { artifactId, version }, accept)
      : await client.send("version.file", { artifactId, path: filePath, version }, accept);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (digestOf(bytes).sha256 === sha256) return bytes;
  throw clientFailure("internal", `${path} came with other bytes than the service says it has`, {
    hint: "Run it again; is there a proxy in between?",
  });
}

/** Whether a local file is that of an earlier version: then it was not changed since. */
function createHistory(client: Client) {
  const versions = new Map<string, Promise<{ versionNumber: number; sha256: string }[]>>();
  const files = new Map<string, Promise<{ path: string; sha256: string }[]>>();
  function versionsOf(artifactId: string) {
    const known =
      versions.get(artifactId) ??
      client.call("version.list", { artifactId, limit: versionsMax }).then((page) => page.versions);
    versions.set(artifactId, known);
    return known;
  }
  function filesOf(artifactId: string, versionNumber: number) {
    const key = `${artifactId} ${versionNumber}`;
    // Retention may have deleted them.
    const known =
      files.get(key) ??
      client.call("version.files", { artifactId, versionNumber }).then(
        (page) => page.files,
        () => [],
      );
    files.set(key, known);
    return known;
  }
  return {
    async has({ artifact: { artifactId }, filePath }: Entry, sha256: string): Promise<boolean> {
      const all = await versionsOf(artifactId);
      if (filePath === null) return all.some((version) => version.sha256 === sha256);
      for (const { versionNumber } of all.slice(0, fileVersionsMax)) {
        const listed = await filesOf(artifactId, versionNumber);
        if (listed.some((file) => file.path === filePath && file.sha256 === sha256)) return true;
      }
      return false;
    },
  };
}

function changesFailure(changed: readonly Entry[], folder: string) {
  const what = changed.length === 1 ? "1 file" : `${changed.length} files`;
  return usage(`${what} in ${folder} would lose changes; nothing was written`, {
    errors: changed.slice(0, 100).map(({ path }) => ({ path, message: "is not as it was published" })),
    hint: "Publish them with plinth push, or add --force to overwrite them",
    next: `plinth diff ${changed[0]?.path ?? ""}`,
  });
}

const leftOutFailure = (leftOut: readonly Refused[]) =>
  ownFailure(
    "partial_failure",
    leftOut.length === 1 ? "1 file was not written" : `${leftOut.length} files were not written`,
    {
      errors: leftOut.slice(0, 100).map(({ path, reason }) => ({ path, message: reason })),
      hint: "Give its artifact another source path, or remove what is in its place in the folder",
    },
  );
