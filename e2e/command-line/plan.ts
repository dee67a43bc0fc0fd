// Chooses which cases run in which form and distribution. `TEST_SAMPLES=all bun run test e2e/command-line/commands`
// runs all of them, some six thousand lines; otherwise a sample has every form, and of the run's commands every rare code.
import { pick, sample, takesAll, testRandom } from "../harness/test-seed.ts";
import { isRefusal, type Case, type Form } from "./cases.ts";
import type { Catalogue, CatalogueCommand, FailureCode } from "./catalogue.ts";

export interface Planned {
  readonly test: Case;
  readonly form: Form;
}

/** A code is rare that at most this many commands have: each command that is run meets all of its rare ones. */
const fewCommands = 4;
/** The number of refusals per command that many other commands have too. */
const commonRefusals = 4;

/**
 * The runs of one command. The binary succeeds in every form, and meets every rare code and a sample of the common
 * ones, each in one form. Node, which starts four times as slowly, succeeds in one form and meets one refusal of every
 * second command.
 */
export function plan(
  cases: readonly Case[],
  distribution: "binary" | "node",
  command: CatalogueCommand,
  catalogue: Catalogue,
): Planned[] {
  const inAllForms = cases.flatMap((test) => test.forms.map((form) => ({ test, form })));
  if (takesAll) return inAllForms;
  const random = testRandom("commands", `${distribution} ${command.path}`);
  const inOneForm = (test: Case): Planned => ({ test, form: pick(test.forms, random) });
  const refused = cases.filter(({ outcome }) => isRefusal(outcome));
  const succeeded = cases.filter((one) => !refused.includes(one));
  if (distribution === "node")
    return [...succeeded, ...(random() < 0.5 ? sample(refused, 1, random) : [])].map(inOneForm);
  const isRare = ({ outcome }: Case) => isRefusal(outcome) && commandsWith(outcome.code, catalogue) <= fewCommands;
  const common = refused.filter((one) => !isRare(one));
  return [
    ...inAllForms.filter(({ test }) => succeeded.includes(test)),
    ...[...refused.filter(isRare), ...sample(common, commonRefusals, random)].map(inOneForm),
  ];
}

const commandsWith = (code: FailureCode, { commands }: Catalogue): number =>
  commands.filter(({ errors }) => errors.includes(code)).length;
