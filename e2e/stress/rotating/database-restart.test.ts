import { databaseRestart } from "../database-restart.ts";
import { inTurn } from "./turns.ts";

inTurn("database-restart", databaseRestart);
