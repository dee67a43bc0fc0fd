// Owns `bun run test:engines`: the suites named *.engines.test.ts, which take browsers that npm does not have, Firefox and
// WebKit. Where one is missing its tests fail, and say what to install.
import { buildRuntime } from "./build-runtime.ts";
import { buildWeb } from "./build-web.ts";
import { install } from "./install.ts";
import { conclude, runSuite, testFiles } from "./suite.ts";

install();
buildRuntime();
buildWeb();
// It needs the dependencies, and sets TEST_DATABASE_URL for the suites.
await import("../standalone/test-database.ts");
// The pattern replaces bunfig.toml's, which leaves these files out.
conclude([await runSuite(testFiles("e2e", "engines"), ["--path-ignore-patterns=none"])]);
