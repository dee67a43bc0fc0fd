// Versions as resources (`artifact://{artifactId}/v/{n}`), which a client can attach to a conversation by itself.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type CompleteResult,
  type ListResourcesResult,
  type ReadResourceResult,
} from "@modelcontextprotocol/server";
import { AppError } from "@plinth/contract/errors";
import { appUri } from "@plinth/contract/mcp/definition";
import type { Output } from "@plinth/contract/registry";
import { textOf } from "@plinth/domain/storage/pack";
import type { SourceDocument } from "@plinth/domain/versions/source";

import { perform, problemIn, type Exchange } from "./exchange.ts";
import { prompts } from "./prompts.ts";
import { mediaTypes, resourceUri } from "./result.ts";

/** Resources of one page, and candidates of one completion (the protocol's limit). */
const atOnce = 100;

const uriTemplate = "artifact://{artifactId}/v/{n}";
const uriPattern = /^artifact:\/\/(art_[0-9a-z]{26})\/v\/([1-9]\d{0,9})$/;

export const resourceTemplates = [
  {
    uriTemplate,
    name: "artifact-version",
    title: "A version of an artifact",
    description: "The source text of version n of an artifact; it never changes",
  },
];

/** The latest versions of the caller's own artifacts. */
export async function listResources(exchange: Exchange, cursor: string | undefined): Promise<ListResourcesResult> {
  const input = { limit: atOnce, ...(cursor !== undefined && { cursor }) };
  const { artifacts, nextCursor } = await asked<Output<"artifact.listMine">>(exchange, "artifact.listMine", input);
  const resources = artifacts.map(({ artifactId, latestVersion, title, type, url }) => ({
    uri: resourceUri(artifactId, latestVersion),
    name: title,
    description: url,
    mimeType: mediaTypes[type],
  }));
  return { resources, ...(nextCursor !== null && { nextCursor }) };
}

/** It loads nothing: what it shows is in the results that its host sends it. */
const app = {
  uri: appUri,
  mimeType: "text/html;profile=mcp-app",
  text: readFileSync(join(import.meta.dir, "app.html"), "utf8"),
  _meta: { ui: { prefersBorder: true } },
};

/** @throws ProtocolError */
export async function readResource(exchange: Exchange, uri: string): Promise<ReadResourceResult> {
  if (uri === appUri) return { contents: [app] };
  const [, artifactId, version] = uriPattern.exec(uri) ?? [];
  if (artifactId === undefined) throw new ResourceNotFoundError(uri);
  const source = await asked<SourceDocument>(
    exchange,
    "version.content",
    { artifactId, version: Number(version) },
    uri,
  );
  return { contents: [{ uri, mimeType: mediaTypes[source.type], text: textOf(source.bytes) }] };
}

interface Completing {
  readonly ref: { readonly type: string; readonly uri?: string; readonly name?: string };
  readonly argument: { readonly name: string; readonly value: string };
  readonly context?: { readonly arguments?: Readonly<Record<string, string>> | undefined } | undefined;
}

/**
 * Completes the template's arguments: artifacts by identifier, slug or words of their title, and then their versions.
 */
export async function complete(exchange: Exchange, { ref, argument, context }: Completing): Promise<CompleteResult> {
  if (ref.type === "ref/prompt" && prompts.some(({ name }) => name === ref.name)) return completion([]);
  if (ref.type !== "ref/resource" || ref.uri !== uriTemplate)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is nothing of that name to complete");
  const given = argument.value.toLowerCase();
  if (argument.name === "artifactId") {
    const { artifacts } = await asked<Output<"artifact.listMine">>(exchange, "artifact.listMine", { limit: atOnce });
    const fitting = artifacts.filter(({ artifactId, slug, title }) =>
      [artifactId, slug, title.toLowerCase()].some((name) => name.includes(given)),
    );
    return completion(fitting.map(({ artifactId }) => artifactId));
  }
  const artifactId = context?.arguments?.["artifactId"];
  if (argument.name !== "n" || artifactId === undefined) return completion([]);
  const { versions } = await asked<Output<"version.list">>(exchange, "version.list", { artifactId, limit: atOnce });
  return completion(versions.map(({ versionNumber }) => String(versionNumber)).filter((n) => n.startsWith(given)));
}

const completion = (values: string[]): CompleteResult => ({
  completion: { values, total: values.length, hasMore: false },
});

/** Converts errors to errors of the protocol, together with the problem. */
async function asked<Value>(
  exchange: Exchange,
  name: "artifact.listMine" | "version.list" | "version.content",
  input: Record<string, unknown>,
  uri?: string,
): Promise<Value> {
  try {
    return (await perform(exchange, name, { input, errors: [] })).value as Value;
  } catch (error) {
    if (uri !== undefined && error instanceof AppError && error.code === "not_found")
      throw new ResourceNotFoundError(uri);
    const problem = problemIn(exchange, error);
    const code = problem.status < 500 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
    throw new ProtocolError(code, problem.detail, problem);
  }
}
