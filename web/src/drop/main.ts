// Files dropped on an artifact's page, or pasted there, become its next version on the page that shows what they change.
// Loaded for editors alone.
import { droppedIn, type Dropped } from "#lib/dropped-files.ts";
import { part, show } from "#lib/parts.ts";
import { handFiles } from "#lib/publishing/handed-files.ts";

document.addEventListener("DOMContentLoaded", start, { once: true });

function start(): void {
  const cover = part("drop");
  const path = cover?.dataset["edit"];
  if (!cover || path === undefined) return;

  async function propose(files: readonly Dropped[]): Promise<void> {
    if (files.length === 0 || path === undefined) return;
    await handFiles(path, files);
    location.assign(`${path}?from=drop`);
  }
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.some((type) => /^files$/i.test(type)) ?? false;

  /** The cover lies over the frame, which would take the drop otherwise. */
  function over(event: DragEvent): void {
    if (!hasFiles(event)) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = "copy";
    show(cover);
  }
  window.addEventListener("dragenter", over);
  window.addEventListener("dragover", over);
  // Leaving the window, not one of its elements for another.
  window.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) show(cover, false);
  });
  window.addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    show(cover, false);
    void propose(droppedIn(event.dataTransfer));
  });
  window.addEventListener("paste", (event) => {
    const { target, clipboardData } = event;
    if (target instanceof Element && target.closest("input, textarea, select, dialog, [contenteditable]")) return;
    const files = [...(clipboardData?.files ?? [])];
    const text = clipboardData?.getData("text/plain") ?? "";
    const { type = "md" } = cover.dataset;
    if (files.length > 0) void propose(files);
    else if (text.trim() !== "") void propose([new File([text], `pasted.${type}`)]);
  });
}
