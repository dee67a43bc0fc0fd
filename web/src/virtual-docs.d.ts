// The documentation, which web/app-config.ts makes when the app is built.
declare module "virtual:docs" {
  import type { Documentation } from "#lib/server/docs/documentation.ts";

  const documentation: Documentation;
  export default documentation;
}
