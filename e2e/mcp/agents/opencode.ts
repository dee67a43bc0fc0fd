// opencode, connected by its own form of the settings for other clients.
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { mcpAddress, serverName } from "@plinth/contract/guides/connect";
import { anthropicMessages } from "@plinth/support/model-service/anthropic-messages";

import type { Agent, Place } from "./agent.ts";

export const opencode: Agent = {
  name: "opencode",
  form: anthropicMessages,
  async commands(place) {
    await writeFile(join(place.home, "work", "opencode.json"), JSON.stringify(settings(place), null, 2));
    const program = join(place.installed, "node_modules", binary(place.installed), "bin/opencode");
    return [[program, "run", "--model", "anthropic/claude-sonnet-4-5", "Make the calls."]];
  },
  environment: ({ token }) => ({
    PLINTH_TOKEN: token,
    // No updates, and no list of models from the network.
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
  }),
  // For the package that its plugins import.
  asksFor: ["registry.npmjs.org"],
};

/** The one for processors of any age, where there is one. */
function binary(installed: string): string {
  const name = `opencode-${process.platform}-${process.arch}`;
  return existsSync(join(installed, "node_modules", `${name}-baseline`)) ? `${name}-baseline` : name;
}

const settings = ({ modelService, publicUrl }: Place) => ({
  $schema: "https://opencode.ai/config.json",
  autoupdate: false,
  share: "disabled",
  provider: { anthropic: { options: { baseURL: `${modelService}/v1`, apiKey: "none" } } },
  mcp: {
    [serverName]: {
      type: "remote",
      url: mcpAddress(publicUrl),
      oauth: false,
      headers: { Authorization: "Bearer {env:PLINTH_TOKEN}" },
    },
  },
});
