// The script of pages that are plain HTML: copying, and menus that close again.
import { answerCopying } from "../viewer/copy.ts";
import { closeMenus } from "../viewer/menus.ts";

answerCopying();
closeMenus();
