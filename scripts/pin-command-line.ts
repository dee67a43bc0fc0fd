// Writes cli/schema/pinned.json. Run at a release, where additions to the catalogue become promises:
// `bun scripts/pin-command-line.ts`.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { commands } from "../cli/catalogue.ts";
import { pin } from "../cli/schema/pin.ts";
import { wholeCatalogue } from "../cli/schema/whole.ts";
import { root } from "./step.ts";

writeFileSync(join(root, "cli/schema/pinned.json"), `${JSON.stringify(pin(wholeCatalogue(commands)), null, 2)}\n`);
