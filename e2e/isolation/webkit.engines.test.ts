import { openWebKit } from "../harness/engines/webkit.ts";
import { testIsolation } from "./cases.ts";

testIsolation("WebKit", openWebKit);
