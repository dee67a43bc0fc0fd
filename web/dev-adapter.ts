// SvelteKit's adapter for `bun run dev`: tells pages about the instance, as handler.ts does for the built app, and changes
// them for Vite. The built app has no part of it.
import type { Adapter } from "@sveltejs/kit";
import { setResponse } from "@sveltejs/kit/node";
import { devPage, devPolicy } from "./dev-page.ts";
import type { WebPlatform } from "./web-platform.ts";

/** The adapter of a development server whose pages get this platform. It cannot build. */
export function devAdapter(platform: WebPlatform): Adapter {
  return {
    name: "plinth-dev",
    adapt() {
      throw new Error("The development server builds nothing.");
    },
    emulate: () => ({ platform: () => platform }),
    vite: {
      setResponse(res, response) {
        if (!response.headers.get("content-type")?.startsWith("text/html")) return setResponse(res, response);
        const headers = new Headers(response.headers);
        const policy = headers.get("content-security-policy");
        if (policy !== null) headers.set("content-security-policy", devPolicy(policy, platform.publicUrl));
        headers.delete("content-length");
        void response.text().then((html) => {
          const body = html === "" ? null : devPage(html);
          setResponse(res, new Response(body, { status: response.status, headers }));
        });
      },
    },
  };
}
