// Claude Code, connected by the line of the README.
import { join } from "node:path";

import { claudeCodeLine } from "@plinth/contract/guides/connect";
import { anthropicMessages } from "@plinth/support/model-service/anthropic-messages";

import type { Agent } from "./agent.ts";

export const claudeCode: Agent = {
  name: "Claude Code",
  form: anthropicMessages,
  async commands({ installed, publicUrl, token }) {
    const program = [process.execPath, join(installed, "node_modules/@anthropic-ai/claude-code/cli-wrapper.cjs")];
    const [, ...connect] = claudeCodeLine(publicUrl).split(" ");
    return [
      [...program, ...connect, "--header", `Authorization: Bearer ${token}`],
      [...program, "--print", "Make the calls.", "--allowedTools", "mcp__plinth"],
    ];
  },
  environment: ({ modelService }) => ({
    ANTHROPIC_BASE_URL: modelService,
    ANTHROPIC_API_KEY: "none",
    // No telemetry, updates or reports of errors.
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    // By default the model gets the names of an MCP server's tools alone, and has to search for their schemas.
    ENABLE_TOOL_SEARCH: "false",
  }),
};
