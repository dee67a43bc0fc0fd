// The panel of what was kept out of the frame and what failed in it: text alone, and never more than a few lines.
import { framedAs } from "@plinth/contract/frame";
import type { FrameMessage } from "@plinth/contract/frame-messages";
import { blockedWords, type Words } from "./blocked-words.ts";
import { viewerTexts } from "#messages/viewer.ts";
import { copyOf, part, show } from "#lib/parts.ts";
import { pageState } from "./page-state.ts";

const maxLines = 20;
/** Counted no further: a document can report without end. */
const maxCounted = 999;

type Failure = Extract<FrameMessage, { type: "plinth:error" }>;

/** Without the bar there is no panel, and nothing is said. */
export function noticesOf() {
  const text = viewerTexts();
  let lists = new Map<string, HTMLElement>();
  let lines = new Set<string>();
  let counts = { blocked: 0, failed: 0 };

  function add(kind: keyof typeof counts, words: Words, line: string): void {
    const groups = part("notice-groups");
    const key = `${words.what}\n${line}`;
    if (!groups || lines.has(key) || counts[kind] >= maxCounted) return;
    counts[kind] += 1;
    tell();
    if (lines.size >= maxLines) return;
    lines.add(key);
    const list = lists.get(words.what) ?? group(groups, words);
    lists.set(words.what, list);
    if (line === "") return;
    const item = document.createElement("li");
    item.textContent = line;
    list.append(item);
  }

  function group(groups: HTMLElement, { what, why }: Words): HTMLElement {
    const section = copyOf("notice-group");
    const [title, reason, list] = section.children as HTMLCollectionOf<HTMLElement>;
    if (title) title.textContent = what;
    if (reason) reason.textContent = why;
    groups.append(section);
    return list ?? section;
  }

  function tell(): void {
    const { blocked, failed } = counts;
    const said = [
      ...(failed > 0 ? [text.errors({ count: failed })] : []),
      ...(blocked > 0 ? [text.blocked({ count: blocked })] : []),
    ].join(" · ");
    const reasons = [
      ...(blocked > 0 ? [text.requestsBlocked({ count: blocked })] : []),
      ...(failed > 0 ? [text.scriptErrors({ count: failed })] : []),
    ].join(", ");
    const why = part("blank-why");
    if (why) why.textContent = `${reasons}.`;
    const count = part("notice-count");
    if (count) count.textContent = said;
    const beyond = blocked + failed - maxLines;
    const more = part("notice-more");
    if (more && beyond > 0) more.textContent = text.andMore({ count: beyond });
    show(more, beyond > 0);
    show(part("notices"), said !== "");
  }

  return {
    blocked: (directive: string, address: string): void => {
      add("blocked", blockedWords(directive, address, framedAs(pageState.type, pageState.view)), address);
    },
    failed: ({ message, component, line, column }: Failure): void => {
      const place = [
        ...(component === undefined ? [] : [text.inComponent({ component })]),
        ...(line === undefined
          ? []
          : [column === undefined ? text.line({ line }) : text.lineAndColumn({ line, column })]),
      ].join(", ");
      add("failed", text.failing, place === "" ? message : `${message} (${place})`);
    },
    /** In the middle of the frame, over a document that shows nothing itself. */
    blank: (isBlank: boolean): void => show(part("blank"), isBlank),
    clear: (): void => {
      show(part("blank"), false);
      lists = new Map();
      lines = new Set();
      counts = { blocked: 0, failed: 0 };
      part("notice-groups")?.replaceChildren();
      tell();
    },
  };
}
