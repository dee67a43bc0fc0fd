// URLs of an instance that the guides link to.
import { modulesPath } from "../api-paths.ts";
import { oauthPaths } from "../oauth.ts";

export const linksOf = (publicUrl: string) => ({
  llms: `${publicUrl}/llms.txt`,
  skill: `${publicUrl}/SKILL.md`,
  agents: `${publicUrl}/AGENTS.md`,
  install: `${publicUrl}/install.sh`,
  package: `${publicUrl}/cli.tgz`,
  connect: `${publicUrl}/settings/connect`,
  keys: `${publicUrl}/settings/keys`,
  openApi: `${publicUrl}/api/openapi.json`,
  docs: `${publicUrl}/docs`,
  reference: `${publicUrl}/docs/reference`,
  modules: `${publicUrl}${modulesPath}`,
  errors: `${publicUrl}/docs/errors`,
  resource: `${publicUrl}${oauthPaths.resourceMetadata}/mcp`,
  health: `${publicUrl}/api/health`,
});
