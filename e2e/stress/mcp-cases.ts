// All defects of a message to `/mcp`, by family.
import { calls } from "./mcp-call-cases.ts";
import type { Family } from "./mcp-family.ts";
import { http } from "./mcp-http-cases.ts";
import { messages } from "./mcp-message-cases.ts";
import { parameters } from "./mcp-parameter-cases.ts";

export const families: Readonly<Record<string, Family>> = { ...messages, ...parameters, ...calls, ...http };

/** @throws if no family has that name */
export function familyOf(name: string): Family {
  const family = families[name];
  if (family === undefined) throw new Error(`there is no family ${name}`);
  return family;
}
