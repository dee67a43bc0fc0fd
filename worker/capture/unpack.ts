// The program that unpacks the packaged browser into TMPDIR: the package accepts no other path.
import { fileURLToPath } from "node:url";

import chromium, { inflate } from "@sparticuz/chromium";

await chromium.executablePath();
await inflate(fileURLToPath(new URL("../bin/al2023.tar.br", import.meta.resolve("@sparticuz/chromium"))));
