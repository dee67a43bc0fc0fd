// The instance a request is served from, as the handler gave it.
import type { RequestEvent } from "@sveltejs/kit";
import type { WebPlatform } from "../../../web-platform.ts";

/** @throws Error where the app runs outside `createWebHandler`, which alone knows the instance */
export function platformOf(event: RequestEvent): WebPlatform {
  if (event.platform === undefined) throw new Error("Serve the app through createWebHandler.");
  return event.platform;
}
