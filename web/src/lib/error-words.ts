// The texts of error pages: the fault, then the remedy. They do not disclose whether something exists.
import { errorTexts } from "#messages/errors.ts";

export interface ErrorWords {
  readonly title: string;
  readonly text: string;
}

/** `missing` is what the visitor lacks and who can grant it. */
export function errorWords(status: number, error: { code?: string; missing?: string } | null): ErrorWords {
  const text = errorTexts();
  const byCode: Readonly<Record<string, ErrorWords>> = { offline: text.offline, version_expired: text.versionExpired };
  const byStatus: Readonly<Record<number, ErrorWords>> = {
    403: text.forbidden,
    404: text.notFound,
    429: text.tooMany,
    503: text.unavailable,
  };
  const said = byCode[error?.code ?? ""] ?? byStatus[status] ?? (status < 500 ? text.notFound : text.internal);
  return error?.missing === undefined ? said : { ...said, text: error.missing };
}
