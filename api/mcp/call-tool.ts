// `tools/call`: finds the tool, runs its operation like every surface, and returns the result.
import { ProtocolError, ProtocolErrorCode, type CallToolResult } from "@modelcontextprotocol/server";
import { findTool, type Tool } from "@plinth/contract/mcp/tools";
import type { Output } from "@plinth/contract/registry";
import type { Answer } from "@plinth/domain/invoke";
import { cut } from "@plinth/domain/output";

import { readArguments, type Arguments } from "./arguments.ts";
import { publish } from "./create-artifact.ts";
import { compare } from "./diff-versions.ts";
import { perform, type Attempted, type Exchange } from "./exchange.ts";
import { placeOf, type Place } from "./place.ts";
import { previewOf } from "./preview-artifact.ts";
import { readPage } from "./read-content.ts";
import { refusalOf, resultOf, type Told } from "./result.ts";
import { sentences, type Plain } from "./sentences.ts";

/** Runs a tool whose result is more than its operation's. */
export type Runner = (exchange: Exchange, given: Arguments, attempted: Attempted) => Promise<Told>;

const runners: Readonly<Record<Exclude<Tool["operation"]["name"], Plain>, Runner>> = {
  "artifact.create": publish,
  "artifact.preview": previewOf,
  "version.content": readPage,
  "version.diff": compare,
};

/** Errors become results, for the model to read. @throws ProtocolError where there is no such tool */
export async function callTool(
  exchange: Exchange,
  requestId: string | number,
  name: string,
  sent: Readonly<Record<string, unknown>>,
): Promise<CallToolResult> {
  const tool = findTool(name);
  if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no tool of that name");
  try {
    const given = readArguments(tool, sent, exchange.instance.config.publicUrl);
    const { name: operation } = tool.operation;
    const attempted = { requestId, sent };
    const told = isPlain(operation)
      ? await runPlain(exchange, tool, operation, given, attempted)
      : await runners[operation](exchange, given, attempted);
    return resultOf(exchange, told);
  } catch (error) {
    return refusalOf(exchange, tool, error);
  }
}

const isPlain = (name: Tool["operation"]["name"]): name is Plain => name in sentences;

async function runPlain(
  exchange: Exchange,
  tool: Tool,
  name: Plain,
  given: Arguments,
  attempted: Attempted,
): Promise<Told> {
  const answer = await perform(exchange, name, given, attempted);
  const place = placeOf(exchange, answer);
  const sentence = (sentences[name] as (value: unknown, place: Place) => string)(answer.value ?? {}, place);
  const value = given.own["detail"] === "detailed" ? answer.value : cut(tool.output, answer.value ?? {});
  return { sentence, value: value as Record<string, unknown>, ...linkOf(name, answer, place) };
}

/** An operation that creates or shows one version links to it. */
function linkOf(name: Plain, { value }: Answer, { artifact }: Place): Pick<Told, "link"> {
  if (name === "artifact.get") {
    const { artifactId, latestVersion, type, title } = value as Output<"artifact.get">;
    return { link: { artifactId, versionNumber: latestVersion, type, title } };
  }
  if (artifact === null || !(name === "version.create" || name === "version.edit" || name === "version.restore"))
    return {};
  const { artifactId, versionNumber } = value as Output<"version.create">;
  return { link: { artifactId, versionNumber, type: artifact.type, title: artifact.title } };
}
