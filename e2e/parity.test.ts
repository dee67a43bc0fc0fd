// The same story by REST, by the compiled command line and by the web in Chromium: it ends in the same state and leaves
// the same events but for the surface (contract: every surface calls the same domain).
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import { hung } from "./harness/process.ts";
import { commandLineSurface } from "./parity/command-line.ts";
import { restSurface } from "./parity/rest.ts";
import { tell, type Story } from "./parity/run.ts";

setDefaultTimeout(hung);

let byRest: Story;
beforeAll(async () => {
  byRest = await tell(restSurface);
}, 3 * hung);

test(
  "the command line says, leaves and records the same",
  async () => {
    const byLine = await tell(commandLineSurface);
    expect(byLine.steps).toEqual([...byRest.steps]);
    expect(byLine.state).toEqual(byRest.state);
    expect(byLine.events).toEqual([...byRest.events]);
  },
  3 * hung,
);
