// The visitor of a page: requested from the API once for each request, and never without a session cookie.
import { ProblemError } from "@plinth/contract/client";
import type { Profile } from "@plinth/contract/schemas/account";
import { sessionCookieName } from "@plinth/contract/session-cookie";
import { redirect, type RequestEvent } from "@sveltejs/kit";
import { loginAddress } from "#lib/next-path.ts";
import { clientOf, orErrorPage } from "./api.ts";
import { platformOf } from "./platform.ts";

/** Whether the visitor brought a session's cookie, good or not. */
export const hasSession = (event: RequestEvent): boolean =>
  event.cookies.get(sessionCookieName(platformOf(event).publicUrl)) !== undefined;

/** The visitor's profile; null without a sign-in. @throws ProblemError where the API is away */
export function viewerOf(event: RequestEvent): Promise<Profile | null> {
  event.locals.viewer ??= hasSession(event) ? askedViewer(event) : Promise.resolve(null);
  return event.locals.viewer;
}

async function askedViewer(event: RequestEvent): Promise<Profile | null> {
  try {
    return await clientOf(event).call("profile.get", { workspaces: true });
  } catch (cause) {
    // An expired or ended session is as none.
    if (cause instanceof ProblemError && cause.problem.status === 401) return null;
    throw cause;
  }
}

/** Whether the visitor is signed in; where the API is away, whether they brought a session. Never throws. */
export async function isSignedIn(event: RequestEvent): Promise<boolean> {
  try {
    return (await viewerOf(event)) !== null;
  } catch {
    return hasSession(event);
  }
}

/** The visitor as the header names them; nothing where that can't be asked. Never throws. */
export async function shownViewer(event: RequestEvent): Promise<{ viewer?: Exclude<App.Error["viewer"], undefined> }> {
  try {
    const viewer = await viewerOf(event);
    return { viewer: viewer && { username: viewer.username, label: viewer.username ?? viewer.email } };
  } catch {
    return {};
  }
}

/** The visitor's profile; a visitor who is not signed in is led to that, and back. */
export async function requireViewer(event: RequestEvent): Promise<Profile> {
  const viewer = await orErrorPage(viewerOf(event));
  if (viewer === null) redirect(303, loginAddress(event.url));
  return viewer;
}

/** The visitor's profile with a username; a visitor without one is led to choosing it. */
export async function requireNamedViewer(event: RequestEvent): Promise<Profile & { username: string }> {
  const viewer = await requireViewer(event);
  const { username } = viewer;
  if (username === null) redirect(303, "/workspaces/new");
  return { ...viewer, username };
}
