// URLs of an instance that the guides link to, and the package name of its command line.
import { modulesPath } from "../api-paths.ts";
import { oauthPaths } from "../oauth.ts";

/** The package on npm. */
export const commandLineName = "plinth-cli";

export const linksOf = (publicUrl: string) => ({
  llms: `${publicUrl}/llms.txt`,
  skill: `${publicUrl}/SKILL.md`,
  connect: `${publicUrl}/settings/connect`,
  keys: `${publicUrl}/settings/keys`,
  openApi: `${publicUrl}/api/openapi.json`,
  docs: `${publicUrl}/docs`,
  modules: `${publicUrl}${modulesPath}`,
  errors: `${publicUrl}/docs/errors/not_found`,
  resource: `${publicUrl}${oauthPaths.resourceMetadata}/mcp`,
  health: `${publicUrl}/api/health`,
});
