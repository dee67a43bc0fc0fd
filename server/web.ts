// `bun run web`: a process with the web app only; any number can run. It renders pages and passes the API's requests to
// API_ORIGIN. It has neither database nor secret.
import { logRequest } from "@plinth/contract/served-request";
import { createWebHandler } from "@plinth/web/handler";
import { createApiFetch, createProxy } from "@plinth/web/proxy";
import { createRemoteRead } from "@plinth/web/remote-read";

import packageJson from "../package.json" with { type: "json" };
import { readyLine } from "./banner.ts";
import { listen } from "./listen.ts";
import { run } from "./run.ts";

await run("web", async (start) => {
  const { environment, undo } = start;
  const { apiOrigin, publicUrl, contentOrigin } = environment;
  if (apiOrigin === null) throw new Error("API_ORIGIN must be set");
  const apiFetch = createApiFetch(apiOrigin);
  const proxy = createProxy(apiFetch);
  const web = await createWebHandler({
    api: apiFetch,
    read: createRemoteRead(apiFetch, publicUrl),
    publicUrl,
    contentOrigin,
    maxContentBytes: environment.maxContentBytes,
    version: packageJson.version,
    site: environment.site,
    served: logRequest,
  });
  const server = listen({ environment, api: (request, clientAddress) => proxy(request, { clientAddress }), web });
  undo(() => server.drain());
  return { ready: readyLine("web", start, `on ${server.address}, the API at ${apiOrigin}`) };
});
