// Reads the query of an address strictly: URLSearchParams would turn what is no UTF-8 into U+FFFD and go on.
import type { FieldError } from "@plinth/contract/errors";

/** The parameters that are not percent-encoded UTF-8; one whose name is not is named as it was sent. */
export function malformedParameters(search: string): FieldError[] {
  if (search === "") return [];
  return search
    .replace(/^\?/, "")
    .split("&")
    .flatMap((pair) => {
      const [name = ""] = pair.split("=", 1);
      if (decoded(pair) !== null) return [];
      return [{ path: decoded(name) ?? name, message: "must be percent-encoded UTF-8" }];
    });
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null; // told apart by the caller
  }
}
