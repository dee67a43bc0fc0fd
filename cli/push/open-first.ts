// `push --open`: the browser at what was published.
import type { Context } from "../command/context.ts";
import { Failure } from "../failure/failure.ts";
import type { Outcome } from "./publish-all.ts";
import type { Pushed } from "./publish.ts";

/** Shows the first that was published. The address is on standard output all the same. */
export async function openFirst(outcomes: readonly Outcome[], { io, settings, progress }: Context): Promise<void> {
  const first = outcomes.find((outcome): outcome is Pushed => outcome !== null && !(outcome instanceof Failure));
  if (!first || settings.check) return;
  if (settings.noInput) progress("Not opened: --no-input leaves the browser alone");
  else if (!(await io.openBrowser(first.url))) progress("No browser could be opened");
}
