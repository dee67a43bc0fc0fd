import { crash } from "../crash.ts";
import { inTurn } from "./turns.ts";

inTurn("crash", crash);
