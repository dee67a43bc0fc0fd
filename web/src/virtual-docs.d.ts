// The documentation, which web/docs/plugin.ts makes when the app is built.
declare module "virtual:docs" {
  const documentation: import("#lib/server/docs/documentation.ts").Documentation;
  export default documentation;
}
