// The script of the pages for reading: markdown documents and the source view. Reading works without it.
import { tellPage } from "../links.ts";
import { tellStarted } from "../started.ts";
import { followContents } from "./contents.ts";
import { addCopyButtons } from "./copy-button.ts";
import { drawDiagrams } from "./diagrams.ts";
import { reportHeight } from "../document-height.ts";
import { followWhenAsked } from "./follow.ts";
import { findAuthorsFragments } from "./fragments.ts";
import { layOutForPaper } from "./paper-layout.ts";
import { reachScrollers } from "./scrollers.ts";
import { nameTaskBoxes } from "./task-boxes.ts";

tellStarted();
addEventListener("click", openOutside);
addEventListener("auxclick", openOutside);
followContents();
findAuthorsFragments();
addCopyButtons();
reachScrollers();
nameTaskBoxes();
if (document.images.length > 0) void import("./missing-images.ts").then((loaded) => loaded.nameMissingImages());
drawDiagrams();
reportHeight();
followWhenAsked();
layOutForPaper();

/** The sandbox opens no tab. No script of the document runs here, so none takes the press for itself. */
function openOutside(event: MouseEvent): void {
  const url = event.target instanceof Element && event.target.closest("a[href]")?.getAttribute("href");
  // A place of the document, or a page beside it, which opens in its frame.
  if (!url || /^#|_content\/.*\.html?$/.test(url) || event.button > 1) return;
  event.preventDefault();
  tellPage({ type: "plinth:open", url });
}
