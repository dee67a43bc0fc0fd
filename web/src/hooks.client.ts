// An error of a navigation in the browser: without a network it is called offline, and the visitor stays signed in.
import type { HandleClientError } from "@sveltejs/kit/hooks";
import { page } from "$app/state";

export const handleError: HandleClientError = ({ kind, error }) => {
  const { viewer } = page.data;
  const seen = viewer === undefined ? {} : { viewer, isSignedIn: viewer !== null };
  // A fetch that reached no server is a TypeError in every browser.
  const isAway =
    !navigator.onLine ||
    (kind === "unknown" && error instanceof TypeError && /fetch|network|load/i.test(error.message));
  return isAway ? { ...seen, status: 503, message: "offline", code: "offline" } : seen;
};
