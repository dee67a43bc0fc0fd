// For tests: arguments with which each tool succeeds, any number of times; and the same request to its route.
import { createClient } from "@plinth/contract/client";
import { tools, type Tool, type ToolName } from "@plinth/contract/mcp/tools";
import type { Fixtures } from "@plinth/contract/test/case";
import { validArguments } from "@plinth/contract/test/cases";

import { origin, type Service } from "../../test/service.ts";

export type Given = Readonly<Record<string, unknown>>;
/** Each call returns arguments that change something, also after those of the call before. */
export type RightArguments = Readonly<Record<ToolName, () => Promise<Given>>>;

/** By the owner of the fixtures. */
export const rightArguments = (fixtures: Fixtures): RightArguments =>
  Object.fromEntries(tools.map((tool) => [tool.name, () => validArguments(tool, fixtures)])) as RightArguments;

interface Asking {
  readonly as: string;
  readonly headers?: Record<string, string>;
}

/** Sends the tool's request to the route of its operation. */
export async function askRest(
  { ask }: Pick<Service, "ask">,
  { operation, renamed = {} }: Tool,
  given: Given,
  { as, headers = {} }: Asking,
): Promise<Response> {
  const input = Object.fromEntries(Object.entries(given).map(([field, value]) => [renamed[field] ?? field, value]));
  const { request } = createClient({ baseUrl: origin, headers });
  const { method, url, headers: sent, body } = request(operation.name, input as never);
  const text = body === null ? {} : { body: await new Response(body).text() };
  return ask(method, url.slice(origin.length), { as, headers: Object.fromEntries(sent), ...text });
}
