// The coding agents that are tested.
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { geminiCli } from "./gemini-cli.ts";
import { mastra } from "./mastra.ts";
import { opencode } from "./opencode.ts";

export const agents = [claudeCode, codex, opencode, geminiCli, mastra] as const;
