import { openFirefox } from "../harness/engines/firefox.ts";
import { testIsolation } from "./cases.ts";

testIsolation("Firefox", openFirefox);
