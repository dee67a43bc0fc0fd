// What the search's key is called on the visitor's keyboard, as far as their browser says.
import type { RequestEvent } from "@sveltejs/kit";

export type SearchKey = "⌘K" | "Ctrl K";

export const searchKeyOf = ({ request }: Pick<RequestEvent, "request">): SearchKey =>
  /Mac|iPhone|iPad/.test(request.headers.get("user-agent") ?? "") ? "⌘K" : "Ctrl K";
