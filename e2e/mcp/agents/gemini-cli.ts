// Gemini CLI, connected by its own command.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { mcpAddress, serverName } from "@plinth/contract/guides/connect";
import { googleGenerateContent } from "@plinth/support/model-service/google-generate-content";

import type { Agent } from "./agent.ts";

export const geminiCli: Agent = {
  name: "Gemini CLI",
  form: googleGenerateContent,
  async commands({ installed, home, publicUrl, token }) {
    await mkdir(join(home, ".gemini"));
    await writeFile(join(home, ".gemini/settings.json"), JSON.stringify(settings));
    const program = [process.execPath, join(installed, "node_modules/@google/gemini-cli/bundle/gemini.js")];
    const key = `Authorization: Bearer ${token}`;
    const add = ["mcp", "add", "--scope", "user", "--transport", "http", "--header", key, serverName];
    return [
      [...program, ...add, mcpAddress(publicUrl)],
      [...program, "--model", "gemini-2.5-pro", "--approval-mode", "yolo", "--prompt", "Make the calls."],
    ];
  },
  repeatsRefusals: true,
  environment: ({ modelService }) => ({
    GEMINI_API_KEY: "none",
    GOOGLE_GEMINI_BASE_URL: modelService,
    GEMINI_CLI_TRUST_WORKSPACE: "true",
  }),
};

/** No telemetry and no updates. */
const settings = {
  security: { auth: { selectedType: "gemini-api-key" } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
};
