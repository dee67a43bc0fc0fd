// The ways to read an artifact: each reads it once, and returns whether any of it was visible.
import type { Output } from "@plinth/contract/registry";

import { read } from "../harness/http.ts";
import { assert } from "./stress-test.ts";

export interface Reading {
  readonly origin: string;
  readonly artifact: Output<"artifact.create">;
  /** A unique word of its title and content. */
  readonly word: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A content URL that was issued before. */
  readonly contentUrl: string;
}

interface Way {
  readonly name: string;
  /** Whether it must succeed before the revocation: a search finds new artifacts a moment later. */
  readonly isCertain: boolean;
  /** True if any of it was visible. */
  read(): Promise<boolean>;
}

/** Every way that the reader's credential opens. */
export function waysTo({ origin, artifact, word, headers, contentUrl }: Reading): Way[] {
  const { artifactId, ownerUsername, projectSlug, slug } = artifact;
  const shows = async (url: string, sent: Readonly<Record<string, string>>, sign: string): Promise<boolean> => {
    const answer = await read(await fetch(new URL(url, origin), { headers: sent, redirect: "manual" }));
    assert(answer.status < 500, () => `${url} answered ${answer.status}: ${answer.text.slice(0, 500)}`);
    const isStream = answer.headers.get("content-type") === "text/event-stream";
    return isStream || (answer.status === 200 && answer.text.includes(sign));
  };
  const api = (name: string, url: string, sign = artifactId, isCertain = true): Way => ({
    name,
    isCertain,
    read: () => shows(url, headers, sign),
  });
  const one = `/api/artifacts/${artifactId}`;
  const ways: Way[] = [
    api("artifact", one),
    api("path", `/api/by-path/${ownerUsername}/${projectSlug}/${slug}`),
    api("content", `${one}/content`, word),
    api("versions", `${one}/versions`),
    api("diff", `${one}/diff?from=1&to=1`),
    api("ticket", `${one}/ticket`, "/_content/"),
    api("events", `${one}/events`),
    api("list", `/api/artifacts?owner=${ownerUsername}&project=${projectSlug}`),
    api("search", `/api/artifacts?q=${word}`, artifactId, false),
    api("project", `/api/by-path/${ownerUsername}/${projectSlug}`, projectSlug),
    { name: "content address", isCertain: true, read: () => shows(contentUrl, {}, word) },
  ];
  // Pages only accept cookies.
  const isBrowser = headers["authorization"] === undefined && headers["x-share-token"] === undefined;
  if (isBrowser) ways.push(api("page", `/${ownerUsername}/${projectSlug}/${slug}`, word));
  return ways;
}
