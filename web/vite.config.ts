// The build of the web app: the shared configuration, with the adapter for one Bun.serve.
import { defineConfig } from "vite";
import { bunServeAdapter } from "./adapter.ts";
import { appConfig } from "./app-config.ts";

export default defineConfig({
  ...appConfig(bunServeAdapter()),
  // The server bundle carries what it needs, so that `build/` runs without node_modules.
  ssr: { noExternal: true },
});
