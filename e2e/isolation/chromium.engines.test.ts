import { openChromium } from "../harness/engines/chromium.ts";
import { testIsolation } from "./cases.ts";

testIsolation("Chromium", openChromium);
