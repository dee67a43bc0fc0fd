// Posts JSON to a path of signing in, as the visitor.
import type { RequestEvent } from "@sveltejs/kit";
import { visitorHeaders } from "./api.ts";
import { platformOf } from "./platform.ts";

/** The API's answer. The path is below `/api/auth`. */
export function postAuth(event: RequestEvent, path: `/${string}`, body: object): Promise<Response> {
  const { api, publicUrl } = platformOf(event);
  return api(
    new Request(`${publicUrl}/api/auth${path}`, {
      method: "POST",
      headers: {
        ...visitorHeaders(event),
        // Kit has checked where the request comes from; a page that is opened has no origin to tell.
        origin: publicUrl,
        "content-type": "application/json",
      },
      body: JSON.stringify(body),
    }),
  );
}
