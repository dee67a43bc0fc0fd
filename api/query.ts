// Parses the query of a URL strictly: URLSearchParams would replace invalid UTF-8 by U+FFFD.
import type { FieldError } from "@plinth/contract/errors";
import { percentDecoded } from "@plinth/platform/malformed";

/** The parameters that are not percent-encoded UTF-8. A parameter with a malformed name has the name as it was sent. */
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

const decoded = (text: string): string | null => percentDecoded(text.replaceAll("+", " "));
