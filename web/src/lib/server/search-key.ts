// The name of the search shortcut on the visitor's keyboard, from their browser's user agent.
import type { RequestEvent } from "@sveltejs/kit";

export type SearchKey = "⌘K" | "Ctrl K";

export const searchKeyOf = ({ request }: Pick<RequestEvent, "request">): SearchKey =>
  /Mac|iPhone|iPad/.test(request.headers.get("user-agent") ?? "") ? "⌘K" : "Ctrl K";
