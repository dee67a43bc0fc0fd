import { thumbnails } from "../thumbnails.ts";
import { inTurn } from "./turns.ts";

inTurn("thumbnails", thumbnails);
