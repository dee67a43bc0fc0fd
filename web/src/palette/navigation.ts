// The pages the palette leads to, and signing out.
import { paletteTexts } from "#messages/palette.ts";
import { ways } from "#lib/keys.ts";
import { settingsSections } from "#lib/settings-sections.ts";
import type { Entry } from "./sections.ts";

const keysOf = (path: string): Pick<Entry, "keys"> => {
  const way = ways().find((each) => each.path === path);
  return way === undefined ? {} : { keys: way.keys };
};

/** Settings only for signed-in people. */
export function navigationEntries(isSignedIn: boolean): Entry[] {
  const open = [
    { title: paletteTexts().documentation, path: "/docs" },
    { title: paletteTexts().home, path: "/" },
  ];
  if (!isSignedIn)
    return [{ title: paletteTexts().signIn, path: `/login?next=${encodeURIComponent(location.pathname)}` }, ...open];
  return [
    { title: paletteTexts().dashboard, path: "/dashboard", ...keysOf("/dashboard") },
    { title: paletteTexts().settings, path: "/settings", ...keysOf("/settings") },
    ...settingsSections().map(({ title, path }) => ({ title, hint: paletteTexts().settings, path, ...keysOf(path) })),
    ...open,
  ];
}

/** By a form, as the account's menu does. */
export function signOut(): void {
  const form = document.createElement("form");
  form.method = "POST";
  form.action = "/logout";
  document.body.append(form);
  form.requestSubmit();
}
