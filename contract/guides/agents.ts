// `/AGENTS.md`: the same guide as `/SKILL.md`, for agents that read that name, and to copy into a repository.
import { skillText } from "./skill.ts";

/** The guide without the front matter of a skill. */
export const agentsText = (publicUrl: string): string => skillText(publicUrl).replace(/^---\n[^]*?\n---\n\n/, "");
