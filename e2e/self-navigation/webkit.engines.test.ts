import { openWebKit } from "../harness/engines/webkit.ts";
import { testSelfNavigation } from "./cases.ts";

testSelfNavigation("WebKit", openWebKit);
