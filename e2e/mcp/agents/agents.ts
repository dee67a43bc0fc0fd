// The coding agents that are tested.
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";

export const agents = [claudeCode, codex] as const;
