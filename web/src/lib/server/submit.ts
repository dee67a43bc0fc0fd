// Runs a form's action: the visitor's form goes to the API as theirs, and a refusal comes back to the form.
import { ProblemError, type Client } from "@plinth/contract/client";
import { fail, redirect, type ActionFailure, type RequestEvent } from "@sveltejs/kit";
import { refusalOf, type Outcome } from "#lib/form-outcome.ts";
import { loginAddress } from "#lib/next-path.ts";
import { clientOf } from "./api.ts";
import { formOf, isLargeForm, longestInPage } from "./form-size.ts";
import { requireViewer } from "./viewer.ts";

/** Fields that are never sent back to the page, beside those that are too long for one. */
const secretFields = new Set(["token"]);

/**
 * Does `work` with the form's fields. A person who is signed out in between is led to signing in: of a large form before it is
 * parsed, unless `isKnown` says that the API was asked about the visitor already.
 */
export async function submit<const Action extends string, Result>(
  event: RequestEvent,
  action: Action,
  work: (client: Client, field: Fields) => Promise<Result>,
  { isKnown = false } = {},
): Promise<Outcome<Action, Result> | ActionFailure<Outcome<Action, Result>>> {
  if (!isKnown && isLargeForm(event.request)) await requireViewer(event);
  const form = await formOf(event.request);
  try {
    return { action, result: await work(clientOf(event), fieldsOf(form)) };
  } catch (cause) {
    if (!(cause instanceof ProblemError)) throw cause;
    const problem = refusalOf(cause.problem);
    if (problem.status === 401) redirect(303, loginAddress(event.url));
    return fail(problem.status, { action, problem, values: shown(form) });
  }
}

/** The refusal of a deletion or move whose name was not written, as the API would say it of a field. */
export const notConfirmed = ({ locals }: RequestEvent, detail: string, message: string): ProblemError =>
  new ProblemError({
    type: "/docs/errors/invalid_request",
    title: "Invalid request",
    status: 400,
    code: "invalid_request",
    detail,
    requestId: locals.requestId,
    errors: [{ path: "confirm", message }],
  });

export interface Fields {
  /** A field's text without the space around it; empty where it is missing. */
  text(name: string): string;
  all(name: string): string[];
  /** A file that was chosen; null where none was, or where it is empty. */
  file(name: string): File | null;
}

function fieldsOf(form: FormData): Fields {
  const all = (name: string) => form.getAll(name).filter((value) => typeof value === "string");
  return {
    text: (name) => all(name)[0]?.trim() ?? "",
    all,
    file(name) {
      const given = form.get(name);
      // A field without a choice comes as a file with nothing in it.
      return given instanceof File && given.size > 0 ? given : null;
    },
  };
}

function shown(form: FormData): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of form)
    if (typeof value === "string" && value.length <= longestInPage && !secretFields.has(name)) values[name] = value;
  return values;
}
