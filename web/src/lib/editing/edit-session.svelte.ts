// One sitting at an artifact's text: what it began from, what is there now, keeping and saving it, and what another person
// saved in between. Knows the API and the kept draft; nothing of how it looks.
import { actorWords } from "#messages/actors.ts";
import type { Artifact, Version } from "@plinth/contract/schemas/artifact";
import type { FieldError, Problem } from "@plinth/contract/errors";
import { askApi, askText } from "#lib/ask-api.ts";
import { editingTexts } from "#messages/editing.ts";
import type { Marked } from "./editor.ts";
import { keptDrafts, type KeptDraft, type KeptDrafts } from "./kept-drafts.ts";
import type { Part } from "./merge.ts";
import { bytesOf, edited, lineEnding, stored } from "./text-form.ts";

export interface Begun {
  readonly artifact: Pick<Artifact, "artifactId" | "type">;
  readonly account: string | null;
  readonly version: number;
  /** As it is stored. */
  readonly source: string;
  readonly maxBytes: number;
  /** What the form was sent with before, where the page comes back with it. */
  readonly sent?: { readonly text: string; readonly note: string } | undefined;
}

/** A version that another person has saved. */
export interface Newer {
  readonly version: number;
  readonly by: string;
}

/** As publishing takes them: uploaded before. */
interface NextFiles {
  readonly files: readonly { readonly path: string; readonly sha256: string }[];
  readonly documentPath: string;
}

/** A whole next version, which comes after `base`. */
export interface Replacement {
  readonly text: string;
  readonly ending: "\r\n" | "\n";
  readonly base: { readonly version: number; readonly text: string };
  readonly files: NextFiles | null;
}

export interface Conflicted {
  readonly parts: readonly Part[];
  /** The head that the merge is with. */
  readonly theirs: { readonly version: number; readonly text: string; readonly by: string };
}

/** After so long without another letter a text is kept and previewed, in ms. */
export const restMs = 400;

export class EditSession {
  text = $state.raw("");
  note = $state("");
  base = $state.raw<{ readonly version: number; readonly text: string }>({ version: 0, text: "" });
  saving = $state(false);
  /** The last event, which screen readers read out too. */
  said = $state("");
  saved = $state.raw<number | null>(null);
  problem = $state.raw<Problem | null>(null);
  marks = $state.raw<readonly Marked[]>([]);
  newer = $state.raw<Newer | null>(null);
  conflict = $state.raw<Conflicted | null>(null);
  offered = $state.raw<KeptDraft | null>(null);
  /** Whether this browser keeps the text at all. */
  keeps = $state(true);
  /** Files that the next version has in the place of the latest version's; null where these stay. */
  files = $state.raw<NextFiles | null>(null);
  /** Raised when the text was changed by anything but its editor. */
  replaced = $state(0);

  readonly isChanged = $derived(this.text !== this.base.text || this.files !== null);
  readonly bytes = $derived(bytesOf(this.text));
  readonly isTooLarge = $derived.by(() => this.bytes > this.maxBytes);

  readonly maxBytes: number;
  readonly #begun: Begun;
  readonly #path: string;
  #ending: "\r\n" | "\n";
  #drafts: KeptDrafts | undefined;
  #rest: ReturnType<typeof setTimeout> | undefined;
  /** Of what is being saved, so that a second try after a broken line is not a second version. */
  #attempt: { readonly of: string; readonly key: string } | undefined;

  constructor(begun: Begun) {
    this.#begun = begun;
    this.maxBytes = begun.maxBytes;
    this.#path = `/api/artifacts/${begun.artifact.artifactId}`;
    this.#ending = lineEnding(begun.source);
    const text = edited(begun.source);
    this.base = { version: begun.version, text };
    this.text = begun.sent === undefined ? text : edited(begun.sent.text);
    this.note = begun.sent?.note ?? "";
  }

  /** In the browser: looks for what was kept. `typed` is what was written before the page lived. */
  open(typed: string): void {
    this.#drafts = keptDrafts({ artifactId: this.#begun.artifact.artifactId, account: this.#begun.account });
    this.text = edited(typed);
    const kept = this.#drafts.read();
    if (kept !== null && kept.text !== this.text) this.offered = kept;
  }

  changed(text: string): void {
    // The editor says as well what it was given.
    if (text === this.text) return;
    this.text = text;
    this.saved = null;
    if (this.said !== "") this.said = "";
    this.#keepSoon();
  }

  describe(note: string): void {
    this.note = note;
    this.#keepSoon();
  }

  #keepSoon(): void {
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => this.keep(), restMs);
  }

  /** Keeps the text, at once. A draft that was offered is not overwritten before the person decides about it. */
  keep(): void {
    clearTimeout(this.#rest);
    if (this.offered !== null || this.#drafts === undefined) return;
    if (!this.isChanged) return this.#drafts.clear();
    const { text, note, base } = this;
    this.keeps = this.#drafts.keep({ text, note, baseVersion: base.version, keptAt: new Date().toISOString() });
  }

  /** Goes on with what was kept, from the version that it was begun from. */
  async takeOffered(): Promise<void> {
    const kept = this.offered;
    if (kept === null) return;
    const { version } = this.base;
    if (kept.baseVersion !== version) {
      const head = { version, text: this.base.text };
      const base = await askText(`${this.#path}/content?version=${kept.baseVersion}`);
      // Past its days: nothing tells then who changed what, and the two texts are compared by themselves.
      this.base = { version: kept.baseVersion, text: base.ok ? edited(base.body) : "" };
      this.newer = { version: head.version, by: await this.#authorOf(head.version) };
    }
    this.offered = null;
    this.note = kept.note;
    this.#put(kept.text);
    this.said = editingTexts().draftRestored;
  }

  dropOffered(): void {
    this.offered = null;
    this.#drafts?.clear();
    this.said = editingTexts().draftDiscarded;
  }

  #put(text: string): void {
    this.text = text;
    this.replaced += 1;
    this.#keepSoon();
  }

  /** Saves a text from elsewhere, with its files, in the place of the text that is there; true where that is done. */
  async saveReplacement({ text, ending, base, files }: Replacement): Promise<boolean> {
    if (this.saving) return false;
    this.#ending = ending;
    this.base = base;
    this.files = files;
    if ((this.newer?.version ?? 0) <= base.version) this.newer = null;
    this.#put(text);
    return this.save();
  }

  /** Saves as a new version of the one it was begun from; true where that is done. */
  async save(): Promise<boolean> {
    if (this.saving) return false;
    this.keep();
    this.saving = true;
    this.said = "";
    this.problem = null;
    this.marks = [];
    const { text, note, base, files } = this;
    const sent = {
      content: stored(text, this.#ending),
      ...files,
      expectedLatestVersion: base.version,
      ...(note.trim() === "" ? {} : { changelog: note.trim() }),
    };
    const answer = await askApi<Version>(`${this.#path}/versions`, {
      method: "POST",
      body: sent,
      headers: { "idempotency-key": this.#keyOf(JSON.stringify(sent)) },
    });
    this.saving = false;
    if (!answer.ok) {
      await this.#refused(answer.problem);
      return false;
    }
    const { versionNumber } = answer.body;
    this.#attempt = undefined;
    this.base = { version: versionNumber, text };
    this.files = null;
    this.saved = versionNumber;
    this.said = editingTexts().saved({ version: versionNumber });
    this.note = "";
    this.newer = null;
    // Text written while it was sent is still a draft.
    if (this.isChanged) this.keep();
    else if (this.offered === null) this.#drafts?.clear();
    return true;
  }

  #keyOf(sent: string): string {
    if (this.#attempt?.of !== sent) {
      const key = crypto
        .getRandomValues(new Uint8Array(16))
        .reduce((hex, byte) => hex + byte.toString(16).padStart(2, "0"), "");
      this.#attempt = { of: sent, key };
    }
    return this.#attempt.key;
  }

  async #refused(problem: Problem): Promise<void> {
    if (problem.code === "version_conflict") {
      this.newer = { version: Number(problem["latestVersion"]), by: labelOf(problem["changedBy"]) };
      await this.merge();
      return;
    }
    this.problem = problem;
    this.marks = placesIn(problem.errors ?? []);
  }

  /** The head is now that version; said where it is not one's own. */
  async onVersion(version: number): Promise<void> {
    if (this.saving || version <= this.base.version || version <= (this.newer?.version ?? 0)) return;
    const by = await this.#authorOf(version);
    // One's own, saved while this was asked.
    if (version > this.base.version && version > (this.newer?.version ?? 0)) this.newer = { version, by };
  }

  async #authorOf(version: number): Promise<string> {
    const answer = await askApi<{ versions: Version[] }>(`${this.#path}/versions?limit=5`);
    const found = answer.ok ? answer.body.versions.find(({ versionNumber }) => versionNumber === version) : undefined;
    return found === undefined ? editingTexts().anotherPerson : actorWords(found.createdBy);
  }

  /** Takes the newer version in: by itself where nothing overlaps, else as conflicts to be settled. */
  async merge(): Promise<void> {
    const { newer } = this;
    if (newer === null) return;
    const answer = await askText(`${this.#path}/content?version=${newer.version}`);
    if (!answer.ok) {
      this.problem = answer.problem;
      return;
    }
    const theirs = { ...newer, text: edited(answer.body) };
    const { mergedText, mergeTexts } = await import("./merge.ts");
    const parts = mergeTexts(this.base.text, this.text, theirs.text);
    const whole = mergedText(parts);
    if (whole === null) {
      this.conflict = { parts, theirs };
      this.said = "";
      return;
    }
    this.#settle(theirs, whole);
    this.said = editingTexts().mergedWith(theirs);
  }

  /** Goes on with the text in which every conflict is settled, which builds on the newer version. */
  settled(text: string): void {
    const { conflict } = this;
    if (conflict === null) return;
    this.#settle(conflict.theirs, text);
    this.conflict = null;
    this.said = editingTexts().conflictsMerged(conflict.theirs);
  }

  #settle(theirs: { version: number; text: string }, text: string): void {
    this.base = { version: theirs.version, text: theirs.text };
    if ((this.newer?.version ?? 0) <= theirs.version) this.newer = null;
    this.#put(text);
    this.keep();
  }

  /** Back to writing; the newer version is still there to be merged. */
  leaveConflict(): void {
    this.conflict = null;
  }
}

const labelOf = (actor: unknown): string => {
  const label: unknown = typeof actor === "object" && actor !== null ? Reflect.get(actor, "label") : null;
  return typeof label === "string" ? label : editingTexts().anotherPerson;
};

const placesIn = (errors: readonly FieldError[]): Marked[] =>
  errors.flatMap(({ message, line, column }) => (line === undefined ? [] : [{ message, line, column: column ?? 1 }]));
