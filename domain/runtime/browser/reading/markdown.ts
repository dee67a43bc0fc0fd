// What a page one reads does by script: markdown documents and the source view. Nothing of it is needed for reading.
import { followContents } from "./contents.ts";
import { addCopyButtons } from "./copy-button.ts";
import { drawDiagrams } from "./diagrams.ts";
import { reportHeight } from "./document-height.ts";
import { followWhenAsked } from "./follow.ts";
import { findAuthorsFragments } from "./fragments.ts";
import { layOutForPaper } from "./paper-layout.ts";
import { reachScrollers } from "./scrollers.ts";
import { nameTaskBoxes } from "./task-boxes.ts";

followContents();
findAuthorsFragments();
addCopyButtons();
reachScrollers();
nameTaskBoxes();
drawDiagrams();
reportHeight();
followWhenAsked();
layOutForPaper();
