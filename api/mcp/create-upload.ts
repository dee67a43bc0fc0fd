// `create_upload`: a one-time URL for a file of a workspace, or of one artifact for callers who may only edit that.
import type { Output } from "@plinth/contract/registry";

import type { Arguments } from "./arguments.ts";
import { perform, type Attempted, type Exchange } from "./exchange.ts";
import type { ToolAnswer } from "./result.ts";

export async function createUpload(
  exchange: Exchange,
  { own: { artifactId }, input, errors }: Arguments,
  attempted: Attempted,
): Promise<ToolAnswer> {
  // An agent that asks for a second URL of the same size, with the same request number, means another one.
  const kept = exchange.idempotencyKey === null ? undefined : attempted;
  const { value } =
    artifactId === undefined
      ? await perform(exchange, "upload.create", { input, errors }, kept)
      : await perform(exchange, "upload.createForArtifact", { input: { ...input, artifactId }, errors }, kept);
  const upload = value as Output<"upload.create">;
  const { publicUrl } = exchange.instance.config;
  return { summary: summaryOf(upload, publicUrl) };
}

/** An answer that is repeated has no URL, as for a share link. */
const summaryOf = ({ url, expiresAt }: Output<"upload.create">, publicUrl: string): string =>
  url === undefined
    ? `${publicUrl} has shown the URL of this upload once: make another.`
    : `${url} takes one PUT until ${expiresAt.slice(11, 16)}Z and answers with its sha256.`;
