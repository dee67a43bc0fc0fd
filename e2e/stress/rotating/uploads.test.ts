import { uploads } from "../uploads.ts";
import { inTurn } from "./turns.ts";

inTurn("uploads", uploads);
