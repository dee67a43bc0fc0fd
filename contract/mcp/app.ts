// The page that hosts of MCP Apps show beside a tool's result (api/mcp/app.html).
import type { ToolName } from "./tools.ts";

export const appUri = "ui://plinth/artifact";

const shown: ReadonlySet<ToolName> = new Set<ToolName>([
  "create_artifact",
  "update_artifact",
  "edit_artifact",
  "restore_artifact_version",
  "get_artifact_preview",
  "diff_artifact_versions",
]);

/** Whether the result of the tool is a page or a comparison, which a person wants to see. */
export const isShown = (name: ToolName): boolean => shown.has(name);
