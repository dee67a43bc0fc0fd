// The closed list of error codes (docs/reference/contract.md §2, "Errors"), each with its status and title, and the one
// error type that is thrown for them. Every surface returns the same object, and none invents a code.

export const errorCodes = {
  invalid_request: { status: 400, title: "The request is not valid" },
  invalid_source: { status: 400, title: "The source does not compile" },
  unauthenticated: { status: 401, title: "Authentication is needed" },
  token_expired: { status: 401, title: "The token has expired" },
  forbidden: { status: 403, title: "Not allowed" },
  insufficient_scope: { status: 403, title: "The credential lacks a scope" },
  plan_required: { status: 403, title: "The plan does not include this" },
  seat_limit_reached: { status: 403, title: "Every seat is taken" },
  storage_limit_reached: { status: 403, title: "The storage for files is full" },
  not_found: { status: 404, title: "Not found" },
  version_expired: { status: 404, title: "The version is past its retention" },
  slug_conflict: { status: 409, title: "The slug is taken" },
  source_path_conflict: { status: 409, title: "Another artifact has the source path" },
  version_conflict: { status: 409, title: "Another version was published first" },
  idempotency_conflict: { status: 409, title: "The idempotency key was used for another request" },
  last_admin: { status: 409, title: "A workspace keeps its last admin" },
  invitation_used: { status: 409, title: "The invitation was already used" },
  email_conflict: { status: 409, title: "The email address is taken" },
  project_not_empty: { status: 409, title: "The project still has artifacts" },
  content_too_large: { status: 413, title: "The content is too large" },
  misdirected_request: { status: 421, title: "The request is for another host" },
  rate_limited: { status: 429, title: "Too many requests" },
  internal: { status: 500, title: "Something went wrong" },
  not_implemented: { status: 501, title: "Not implemented" },
  billing_unavailable: { status: 503, title: "Billing is not available" },
  identity_unavailable: { status: 503, title: "The identity provider is not available" },
  busy: { status: 503, title: "The compilers and renderers are busy" },
  unavailable: { status: 503, title: "Temporarily not available" },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof errorCodes;

/** One fault of one field; `path` names the field as the caller wrote it (`access.viewerEmails.0`). */
export interface FieldError {
  readonly path: string;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
  /** Of jsx: a module that cannot be imported, and the nearest that can be, or null. */
  readonly unknownImport?: { readonly module: string; readonly suggestion: string | null };
}

/** Members beside `detail`: the hint, the field errors, and what the code's row in the contract adds. */
export interface ErrorExtra {
  readonly hint?: string;
  readonly errors?: readonly FieldError[];
  readonly [member: string]: unknown;
}

/** An error for the caller: `detail` and `extra` are public, the cause is for the log alone. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly extra: ErrorExtra;

  constructor(code: ErrorCode, detail: string, extra: ErrorExtra = {}, cause?: unknown) {
    super(detail, cause === undefined ? undefined : { cause });
    this.code = code;
    this.extra = extra;
  }

  get status(): number {
    return errorCodes[this.code].status;
  }
}

/** The body of every error response (RFC 9457, application/problem+json). */
export interface Problem extends ErrorExtra {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ErrorCode;
  readonly requestId: string;
}

/** Converts an error to its problem; `type` is a URL in the instance's own documentation. */
export function toProblem(error: AppError, requestId: string, publicUrl = ""): Problem {
  const { status, title } = errorCodes[error.code];
  return {
    type: `${publicUrl}/docs/errors/${error.code}`,
    title,
    status,
    detail: error.message,
    code: error.code,
    requestId,
    ...error.extra,
  };
}
