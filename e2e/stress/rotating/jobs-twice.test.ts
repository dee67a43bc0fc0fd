import { jobsTwice } from "../jobs-twice.ts";
import { inTurn } from "./turns.ts";

inTurn("jobs-twice", jobsTwice);
