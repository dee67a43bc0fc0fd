// Says that there is a newer version than the one shown; the reader is never moved.
import { part, show } from "#lib/parts.ts";
import { shown } from "./shown.ts";

/** The number of the latest version, whenever it is known; it never goes back. */
export function tellLatest(version: number): void {
  const latest = Math.max(shown.latest, version);
  part("versions")
    ?.querySelector("summary")
    ?.setAttribute("aria-label", `v${shown.version}, version ${shown.version} of ${latest}`);
  const old = part("old");
  if (old) old.textContent = `You are reading version ${shown.version}. The latest is version ${latest}.`;
  const pill = part("pill");
  // An old version has said already that it is one.
  if (!pill || latest === shown.version || shown.version < shown.latest) return;
  const text = `v${latest} is out`;
  if (pill.textContent !== text) pill.textContent = text;
  show(pill);
}
