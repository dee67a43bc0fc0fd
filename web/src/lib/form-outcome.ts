// The outcome of a form's action for its page: a result, or the API's refusal beside the sent values.
import type { Problem } from "@plinth/contract/errors";
import { fieldProblem, problemDetail, problemHint } from "#messages/problems.ts";

export interface Refusal {
  status: number;
  code: Problem["code"];
  detail: string;
  hint: string | undefined;
  requestId: string;
  /** The problems, by field. */
  fields: Record<string, string>;
  /** A name that is free, where one was taken. */
  suggestion: string | undefined;
  requiredPlan: string | undefined;
  /** The path of the page on which the plan is changed, where that would help. */
  upgradePath: string | undefined;
  /** The path of the page of importable modules, where an import is unknown. */
  modulesPath: string | undefined;
}

export interface Outcome<Action extends string, Result> {
  action: Action;
  result?: Result;
  problem?: Refusal;
  /** The sent values, to fill the form with again. */
  values?: Record<string, string>;
}

export function refusalOf(problem: Problem): Refusal {
  const { status, code, detail, hint, requestId, errors = [] } = problem;
  // A field's error names its place (`scopes.0`); the form has one place for each field.
  const fields = errors.map(({ path, message }) => [path.split(".")[0] ?? "", fieldProblem(message)] as const);
  return {
    status,
    code,
    detail: problemDetail({ code, detail }),
    hint: problemHint(hint),
    requestId,
    fields: Object.fromEntries(fields.filter(([field]) => field !== "").toReversed()),
    suggestion: textOf(problem["suggestion"]),
    requiredPlan: textOf(problem["requiredPlan"]),
    upgradePath: pathOf(textOf(problem["upgradeUrl"])),
    modulesPath: pathOf(textOf(problem["modulesUrl"])),
  };
}

/** Of an address of this instance, whichever of its origins it names. */
function pathOf(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined;
  const { pathname, search } = new URL(address);
  return pathname.startsWith("//") ? undefined : pathname + search;
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
