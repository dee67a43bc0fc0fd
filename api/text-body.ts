// Reads small bodies outside the operations: a JSON object of texts.
import { AppError, type FieldError } from "@plinth/contract/errors";
import { invalid, isStorable } from "@plinth/domain/input";

import { readBody, small } from "./body.ts";

/** UTF-16 units of one text. */
const longest = 4096;
const bodyBytes = 16 * 1024;

/**
 * The given fields. `required` names the known fields, and whether each is required. @throws invalid_request naming
 * every field that is wrong, content_too_large
 */
export async function readTexts<Name extends string>(
  request: Request,
  required: Readonly<Record<Name, boolean>>,
): Promise<Partial<Record<Name, string>>> {
  const read = await readBody(request, small(bodyBytes));
  if (read instanceof AppError) throw read;
  const body = read.body ?? {};
  if (typeof body !== "object" || Array.isArray(body)) throw invalid([{ path: "", message: "must be a JSON object" }]);
  const given = new Map<string, unknown>(Object.entries(body));
  const errors = [
    ...[...given].flatMap(([path, value]) => problemsOf(path, value, Object.hasOwn(required, path))),
    ...Object.keys(required).flatMap((path) =>
      required[path as Name] && !given.has(path) ? [{ path, message: "is required" }] : [],
    ),
  ];
  if (errors.length > 0) throw invalid(errors);
  return Object.fromEntries(given) as Partial<Record<Name, string>>;
}

function problemsOf(path: string, value: unknown, known: boolean): FieldError[] {
  if (!known) return [{ path, message: "is not a field of this body" }];
  if (typeof value !== "string" || value === "") return [{ path, message: "must be text" }];
  if (value.length > longest) return [{ path, message: `must have at most ${longest} characters` }];
  if (!isStorable(value)) return [{ path, message: "must be well-formed Unicode" }];
  return [];
}
