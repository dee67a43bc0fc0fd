// The picker's list: what each version says, asked for when the picker opens and never before.
import type { Version } from "@plinth/contract/schemas/artifact";
import { artifactQuery } from "#lib/artifact-query.ts";
import { expiresSoon, expiryWords, nextToExpire } from "#lib/version-expiry.ts";
import { exactTime, relativeTime } from "#lib/time.ts";
import { copyOf, part, show } from "#lib/parts.ts";
import { pageState } from "./page-state.ts";

const pageSize = 20;

/** Fills the picker each time it opens; until the answer comes, and where there is none, it names numbers alone. */
export function fillVersions(): void {
  const picker = part("versions");
  const list = part("version-list");
  const more = part("version-more");
  const problem = part("version-problem");
  if (!(picker instanceof HTMLDetailsElement) || !list || !more || !problem) return;
  let next: string | null = null;
  let listed: Version[] = [];
  let press: Promise<void> | undefined;
  list.addEventListener("pointerdown", () => {
    press = new Promise((over) => {
      // After the click that a release makes.
      for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => setTimeout(over), { once: true });
    });
  });

  async function load(list: HTMLElement, cursor: string | null): Promise<void> {
    show(problem, false);
    const query = new URLSearchParams({ limit: String(pageSize), ...(cursor === null ? {} : { cursor }) });
    const answer = await fetch(`/api/artifacts/${pageState.artifactId}/versions?${query}`).catch(() => undefined);
    if (!answer?.ok) return show(problem);
    const { versions, nextCursor } = (await answer.json()) as { versions: Version[]; nextCursor: string | null };
    // A row that went between press and release would take the press with it.
    await press;
    const rows = versions.map(rowOf);
    if (cursor === null) replaceRows(list, rows);
    else list.append(...rows);
    listed = cursor === null ? versions : [...listed, ...versions];
    warn(listed);
    next = nextCursor;
    show(more, next !== null);
    show(part("version-number"), false);
  }

  picker.addEventListener("toggle", () => picker.open && void load(list, null));
  more.addEventListener("click", () => void load(list, next));
  problem.querySelector("button")?.addEventListener("click", () => void load(list, null));
}

/** The focus stays on the row of its version, where it is in the list already. */
function replaceRows(list: HTMLElement, rows: readonly HTMLElement[]): void {
  const { activeElement } = document;
  const focused =
    activeElement instanceof HTMLAnchorElement && list.contains(activeElement) ? activeElement.href : null;
  list.replaceChildren(...rows);
  if (focused === null) return;
  const links = [...list.getElementsByTagName("a")];
  (links.find(({ href }) => href === focused) ?? links[0])?.focus();
}

/** Above the list: that something in it is soon to go, and what helps. */
function warn(versions: readonly Version[]): void {
  const warning = part("version-expiring");
  const words = nextToExpire(versions);
  show(warning, words !== null);
  const [said] = warning?.getElementsByTagName("span") ?? [];
  if (said) said.textContent = words;
}

function rowOf(version: Version): HTMLElement {
  return version.prunedAt === undefined ? keptRow(version) : goneRow(version, version.prunedAt);
}

/** No way leads to what is gone. */
function goneRow({ versionNumber }: Version, prunedAt: string): HTMLElement {
  const row = copyOf("pruned-row");
  const [number] = row.getElementsByTagName("span");
  if (number) number.textContent = `v${versionNumber}`;
  say(part("gone", row), relativeTime(prunedAt), prunedAt);
  return row;
}

function keptRow({ versionNumber, isLatest, name, changelog, createdBy, createdAt, expiresAt }: Version): HTMLElement {
  const row = copyOf("version-row");
  const [number] = row.getElementsByTagName("span");
  if (number) number.textContent = `v${versionNumber}`;
  const [link] = row.getElementsByTagName("a");
  const [words] = row.getElementsByTagName("bdi");
  if (!link || !words) return row;
  // The head of now, which may be another than that of the page.
  const latest = isLatest ? versionNumber : 0;
  link.href = artifactQuery({ version: versionNumber, latest, view: pageState.view }) || "?";
  const said = name ?? changelog;
  words.textContent = said ?? createdBy.label;
  words.classList.toggle("text-muted", said === null);
  say(part("published", row), relativeTime(createdAt), createdAt);
  if (expiresAt !== null && expiresSoon(expiresAt)) {
    const expiry = part("expiry", row);
    say(expiry, expiryWords(expiresAt), expiresAt);
    show(expiry);
  }
  if (versionNumber === pageState.version) link.setAttribute("aria-current", "page");
  else link.querySelector("svg")?.classList.add("invisible");
  return row;
}

/** A time in words, with the exact one behind them. */
function say(element: HTMLElement | null, words: string, time: string): void {
  if (!(element instanceof HTMLTimeElement)) return;
  element.dateTime = time;
  element.title = exactTime(time);
  element.textContent = words;
}
