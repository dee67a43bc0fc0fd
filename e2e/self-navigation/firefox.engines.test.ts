import { openFirefox } from "../harness/engines/firefox.ts";
import { testSelfNavigation } from "./cases.ts";

testSelfNavigation("Firefox", openFirefox);
