import { openChromium } from "../harness/engines/chromium.ts";
import { testSelfNavigation } from "./cases.ts";

testSelfNavigation("Chromium", openChromium);
