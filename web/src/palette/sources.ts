// The palette's entries from the API: places once each time it opens, artifacts for each query. Requested with the
// visitor's cookie, so only resources that they can see come back.
import { paletteTexts } from "#messages/palette.ts";
import type { Workspace } from "@plinth/contract/schemas/account";
import type { Artifact, FoundArtifact } from "@plinth/contract/schemas/artifact";
import type { Project } from "@plinth/contract/schemas/project";
import type { DatedWords } from "#lib/date-words.ts";
import { relativeTime } from "#lib/time.ts";
import type { Entry } from "./sections.ts";

const found = 8;
const places = 100;
/** One more than the palette shows, because the page that is open is left out. */
const recents = 7;

/** What a refusal says, for the reader. */
export class Refused extends Error {}

export async function recentEntries(signal: AbortSignal): Promise<Entry[]> {
  const { artifacts } = await ask<{ artifacts: Artifact[] }>(`/api/profile/recents?limit=${recents}`, signal);
  return artifacts.map(({ title, ownerUsername, projectSlug, slug, type }) => ({
    title,
    hint: `${ownerUsername}/${projectSlug}`,
    type,
    path: `/${ownerUsername}/${projectSlug}/${slug}`,
  }));
}

export async function workspaceEntries(signal: AbortSignal): Promise<Entry[]> {
  const { workspaces } = await ask<{ workspaces: Workspace[] }>(`/api/workspaces?limit=${places}`, signal);
  return workspaces.map(({ slug, name }) => ({ title: name, hint: slug, path: `/dashboard/${slug}` }));
}

export async function projectEntries(signal: AbortSignal): Promise<Entry[]> {
  const { projects } = await ask<{ projects: Project[] }>(`/api/profile/projects?limit=${places}`, signal);
  return projects.map(({ title, ownerUsername, slug }) => ({
    title,
    hint: `${ownerUsername}/${slug}`,
    path: `/${ownerUsername}/${slug}`,
  }));
}

export async function artifactEntries({ words, since, until }: DatedWords, signal: AbortSignal): Promise<Entry[]> {
  const asked = new URLSearchParams({
    ...(words !== "" && { q: words }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    limit: String(found),
  });
  const { artifacts } = await ask<{ artifacts: FoundArtifact[] }>(`/api/artifacts?${asked}`, signal);
  return artifacts.map(({ title, ownerUsername, projectSlug, slug, type, updatedAt, snippet = [] }) => ({
    title,
    hint: `${ownerUsername}/${projectSlug}`,
    note: relativeTime(updatedAt),
    type,
    ...(snippet.some(({ isMatch }) => isMatch) && { snippet }),
    path: `/${ownerUsername}/${projectSlug}/${slug}`,
  }));
}

async function ask<Answer>(address: string, signal: AbortSignal): Promise<Answer> {
  let answer: Response;
  try {
    answer = await fetch(address, { signal });
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw new Refused(paletteTexts().notReached, { cause });
  }
  if (!answer.ok) {
    const request = answer.headers.get("x-request-id") ?? "unknown";
    throw new Refused(paletteTexts().answered({ status: answer.status, request }));
  }
  return (await answer.json()) as Answer;
}
