// Codex, connected by the line of the settings page.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { connectingClients } from "@plinth/contract/guides/connect";
import { openAiResponses } from "@plinth/support/model-service/openai-responses";

import type { Agent, Place } from "./agent.ts";

const homeOf = ({ home }: Place): string => join(home, ".codex");

export const codex: Agent = {
  name: "Codex",
  form: openAiResponses,
  async commands(place) {
    await mkdir(homeOf(place));
    await writeFile(join(homeOf(place), "config.toml"), settings(place));
    const program = [process.execPath, join(place.installed, "node_modules/@openai/codex/bin/codex.js")];
    return [
      [...program, ...connectLine(place), "--bearer-token-env-var", "PLINTH_TOKEN"],
      [...program, "exec", "--strict-config", "--skip-git-repo-check", "Make the calls."],
    ];
  },
  environment: (place) => ({ CODEX_HOME: homeOf(place), MODEL_KEY: "none", PLINTH_TOKEN: place.token }),
};

/** Without its first word; the second line of the snippet signs in by OAuth in a browser. */
function connectLine({ publicUrl }: Place): string[] {
  const { snippets = [] } = connectingClients(publicUrl).find(({ id }) => id === "codex") ?? {};
  const [line = ""] = snippets.find(({ place }) => place === "terminal")?.code.split("\n") ?? [];
  return line.split(" ").slice(1);
}

/** Without what fetches from the network. The model never calls the shell, so the sandbox can stay as it is by default. */
const settings = ({ modelService }: Place): string => `
model = "scripted"
model_provider = "scripted"
check_for_update_on_startup = false
analytics.enabled = false
features = { apps = false, plugins = false }

[model_providers.scripted]
name = "Scripted"
base_url = "${modelService}/v1"
wire_api = "responses"
env_key = "MODEL_KEY"
`;
