// The paste box of the landing page, loaded with its first use: a document that is pasted or dropped is previewed in a
// sandboxed frame, and kept in this browser until its visitor has signed in.
import { publicDraftBytes } from "@plinth/contract/limits";
import { inferType } from "@plinth/contract/publishing/document-type";
import { draftAddress } from "#lib/editing/draft-address.ts";
import { draftFrames, type DraftFrames } from "#lib/editing/draft-frames.ts";
import { bytesOf } from "#lib/editing/text-form.ts";
import { keepDocument } from "#lib/kept-document.ts";
import { part, show } from "#lib/parts.ts";
import { pastedName } from "#lib/pasted-file.ts";
import type { PasteTexts } from "#messages/paste.ts";

const restMs = 400;
const box = part("paste");
const field = box?.querySelector("textarea");
const holder = part("paste-preview");
const publish = part("paste-publish");
const said = part("paste-said");
/** In the language of the page, which has them. */
const texts = JSON.parse(box?.dataset["texts"] ?? "{}") as PasteTexts;
let name: string | null = null;
let frames: DraftFrames | undefined;
let waiting: ReturnType<typeof setTimeout> | undefined;

const say = (text: string): void => {
  if (said) said.textContent = text;
};
/** Without a file, by how the text looks. */
const nameOf = (text: string): string => name ?? pastedName(text);

function changed(): void {
  clearTimeout(waiting);
  waiting = setTimeout(preview, restMs);
}

function preview(): void {
  const text = field?.value ?? "";
  const isEmpty = text.trim() === "";
  show(publish, !isEmpty);
  if (!holder || isEmpty) return;
  if (bytesOf(text) > publicDraftBytes) {
    say(texts.tooLarge);
    return;
  }
  say("");
  show(part("paste-empty"), false);
  const type = inferType(nameOf(text)) ?? "md";
  frames ??= draftFrames(holder, {
    title: texts.preview,
    path: () => "/you/project/document",
    address: draftAddress("/api/draft-ticket"),
    told: () => undefined,
    begins: () => say(""),
    failed: () => say(texts.noPreview),
  });
  frames.show(type, { type, title: "", content: text });
}

async function take(file: File | undefined): Promise<void> {
  if (file === undefined || !field) return;
  if (inferType(file.name) === null) {
    say(texts.noDocument.replace("{file}", () => file.name));
    return;
  }
  name = file.name;
  field.value = await file.text();
  clearTimeout(waiting);
  preview();
}

field?.addEventListener("input", () => {
  if (field.value.trim() === "") name = null;
  changed();
});
box?.querySelector<HTMLInputElement>("input[type=file]")?.addEventListener("change", ({ currentTarget }) => {
  if (currentTarget instanceof HTMLInputElement) void take(currentTarget.files?.[0]);
});
for (const type of ["dragenter", "dragover"] as const)
  box?.addEventListener(type, (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    box.toggleAttribute("data-over", true);
  });
box?.addEventListener("dragleave", ({ relatedTarget }) => {
  if (!(relatedTarget instanceof Node) || !box.contains(relatedTarget)) box.removeAttribute("data-over");
});
box?.addEventListener("drop", (event) => {
  const file = event.dataTransfer?.files[0];
  box.removeAttribute("data-over");
  if (file === undefined) return;
  event.preventDefault();
  void take(file);
});
publish?.addEventListener("click", (event) => {
  const text = field?.value ?? "";
  if (keepDocument({ name: nameOf(text), text })) return;
  event.preventDefault();
  say(texts.noRoom);
});
// The visitor may have written before this script loaded.
if (field?.value) changed();
