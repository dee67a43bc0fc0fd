import { bystander } from "../bystander.ts";
import { inTurn } from "./turns.ts";

inTurn("bystander", bystander);
