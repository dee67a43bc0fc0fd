// Says that there is a newer version than the one shown; the reader is never moved.
import { viewerTexts } from "#messages/viewer.ts";
import { part, show } from "#lib/parts.ts";
import { shown } from "./shown.ts";

/** The number of the latest version, whenever it is known; it never goes back. */
export function tellLatest(version: number): void {
  const text = viewerTexts();
  const latest = Math.max(shown.latest, version);
  part("versions")
    ?.querySelector("summary")
    ?.setAttribute("aria-label", text.versionOf({ version: shown.version, latest }));
  const old = part("old");
  if (old) old.textContent = text.readingOld({ version: shown.version, latest });
  const pill = part("pill");
  // An old version has said already that it is one.
  if (!pill || latest === shown.version || shown.version < shown.latest) return;
  const words = text.newVersion({ version: latest });
  if (pill.textContent !== words) pill.textContent = words;
  show(pill);
}
