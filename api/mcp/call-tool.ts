// `tools/call`: finds the tool, runs its operation like every surface, and returns the result.
import {
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type InputRequiredResult,
} from "@modelcontextprotocol/server";
import { isShown } from "@plinth/contract/mcp/definition";
import { findTool, type Tool } from "@plinth/contract/mcp/tools";
import type { Artifact } from "@plinth/contract/schemas/artifact";

import { readArguments, type Arguments } from "./arguments.ts";
import { publish } from "./create-artifact.ts";
import { createUpload } from "./create-upload.ts";
import { compare } from "./diff-versions.ts";
import { withDeletedId } from "./deleted-artifact.ts";
import { perform, type Attempted, type Exchange } from "./exchange.ts";
import { listDeleted } from "./list-deleted.ts";
import { nothingFound } from "./nothing-found.ts";
import { placeOf } from "./place.ts";
import { previewOf } from "./preview-artifact.ts";
import { PublicQuestion, questionResult } from "./public-consent.ts";
import { readPage } from "./read-content.ts";
import { refusalOf } from "./refusal.ts";
import { withVersionToRestore } from "./restore-version.ts";
import { getAccess, setAccess } from "./set-access.ts";
import { resultOf, type ToolAnswer } from "./result.ts";
import { isPlain, summaryOf, type Plain } from "./summaries.ts";

/** Runs a tool whose result is more than its operation's. */
export type Runner = (exchange: Exchange, given: Arguments, attempted: Attempted) => Promise<ToolAnswer>;

const runners: Readonly<Record<Exclude<Tool["operation"]["name"], Plain>, Runner>> = {
  "access.get": getAccess,
  "access.update": setAccess,
  "artifact.create": publish,
  "artifact.preview": previewOf,
  "upload.create": createUpload,
  "version.content": readPage,
  "version.diff": compare,
};

/** What a tool finds out for its operation beforehand. */
const completions: { readonly [Name in Plain]?: (exchange: Exchange, given: Arguments) => Promise<Arguments> } = {
  "artifact.undelete": withDeletedId,
  "version.restore": withVersionToRestore,
};

/** Errors become results, for the model to read. @throws ProtocolError where there is no such tool */
export async function callTool(
  exchange: Exchange,
  name: string,
  attempted: Attempted & { readonly sent: Readonly<Record<string, unknown>> },
): Promise<CallToolResult | InputRequiredResult> {
  const { sent } = attempted;
  const tool = findTool(name);
  if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no tool of that name");
  try {
    const given = readArguments(tool, sent, exchange.instance.config.publicUrl);
    const { name: operation } = tool.operation;
    const answer = isPlain(operation)
      ? await runPlain(exchange, tool, operation, (await completions[operation]?.(exchange, given)) ?? given, attempted)
      : await runners[operation](exchange, given, attempted);
    return resultOf(answer);
  } catch (error) {
    if (error instanceof PublicQuestion) return questionResult(error);
    return refusalOf(exchange, tool, sent, error);
  }
}

async function runPlain(
  exchange: Exchange,
  tool: Tool,
  name: Plain,
  given: Arguments,
  attempted: Attempted,
): Promise<ToolAnswer> {
  if (name === "artifact.list" && given.own["deleted"] === true) return listDeleted(exchange, given);
  const answer = await perform(exchange, name, given, attempted);
  const value = answer.value ?? {};
  if (given.own["detail"] === "detailed") return { summary: JSON.stringify(value) };
  const { artifactId } = value as Pick<Artifact, "artifactId">;
  const summary = summaryOf(name, value, placeOf(exchange, answer));
  return {
    summary: summary + nothingFound(value, given.input),
    ...(isShown(tool.name) && { app: { artifactId } }),
  };
}
