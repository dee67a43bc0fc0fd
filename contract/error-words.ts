// The meaning of each error code and the caller's next step, for the documentation. The answer's own `hint` is more
// exact, because it depends on the request. The command line does not carry these texts.
import type { ErrorCode } from "./errors.ts";

export interface ErrorWords {
  /** One sentence: what the instance found. */
  readonly meaning: string;
  /** One or two sentences: what to change, or when to send the request again. */
  readonly next: string;
}

export const errorWords: Readonly<Record<ErrorCode, ErrorWords>> = {
  invalid_request: {
    meaning: "A field, a query parameter or a header has a value that the operation doesn't accept.",
    next: "Read `errors`: each entry names a field by its `path` and says what it accepts. Nothing was written.",
  },
  invalid_source: {
    meaning: "The JSX doesn't compile, or it imports a module that can't be loaded.",
    next:
      "Fix the source at the `line` and `column` of each entry in `errors`. For an unknown import, `suggestion` is the " +
      "nearest module, and [JSX modules](/docs/jsx) lists all of them.",
  },
  unauthenticated: {
    meaning: "The request has no credential, or one that the instance doesn't know.",
    next:
      "Send an API key or token as `Authorization: Bearer …`. Create a key under **Settings → API keys**, or run " +
      "`plinth login`.",
  },
  token_expired: {
    meaning: "The credential was valid until its expiry date.",
    next: "Sign in again with `plinth login`, or create a new key. Rotate a key before it expires to avoid this.",
  },
  forbidden: {
    meaning: "You can see the resource, but your role doesn't permit this operation.",
    next: "Ask an admin of the workspace for the role that `detail` names, or use the credential of another account.",
  },
  insufficient_scope: {
    meaning: "The key or token is valid, but was created without the scope that the operation requires.",
    next: "Create a key that has the scope in `requiredScope`. The scopes of an existing key can't be changed.",
  },
  plan_required: {
    meaning: "The plan of the workspace doesn't include the feature.",
    next: "`requiredPlan` names the plan that does, and `upgradeUrl` is where an admin changes it.",
  },
  seat_limit_reached: {
    meaning: "Members and open invitations take every seat of the plan.",
    next: "Remove a member, revoke an invitation, or add seats under **Settings → Billing**.",
  },
  storage_limit_reached: {
    meaning: "The files of the workspace use all the storage of its plan.",
    next: "Delete artifacts that you no longer need, or change the plan. `usedBytes` and `limitBytes` are the numbers.",
  },
  not_found: {
    meaning:
      "Nothing is at this address, or you can't see it. Both answers are the same, so that no caller can probe for private " +
      "artifacts.",
    next: "Check the address and the account. A private artifact needs the credential of an account that can see it.",
  },
  version_expired: {
    meaning: "Retention deleted the content of this version. Its entry in the history stays.",
    next: "Read a newer version. [Retention](/docs/concepts#retention) explains how long versions are kept.",
  },
  slug_conflict: {
    meaning: "The address is taken by another artifact, project or workspace.",
    next:
      "To publish the next version there, use `plinth push --ensure` or `PUT /api/by-path/…`. For a new artifact take " +
      "the free slug in `suggestion`.",
  },
  source_path_conflict: {
    meaning: "Another artifact of the project was published from the same file.",
    next: "Update that artifact, or publish with another `sourcePath`.",
  },
  version_conflict: {
    meaning: "Another version was published after the one in `expectedLatestVersion`. Nothing was overwritten.",
    next: "Read the latest version, apply your change to it, and send it with the new number. `changedBy` says whose it is.",
  },
  idempotency_conflict: {
    meaning: "The `Idempotency-Key` was used within 24 hours for a request with another body.",
    next: "Use a new key for every new request, and the same key only to repeat one.",
  },
  last_admin: {
    meaning: "The change would leave the workspace without an admin.",
    next: "Make another member an admin first.",
  },
  invitation_used: {
    meaning: "The invitation was accepted before.",
    next: "Ask an admin of the workspace for a new invitation if you aren't a member yet.",
  },
  email_conflict: {
    meaning: "Another account has this email address.",
    next: "Sign in with that account, or use another address.",
  },
  project_not_empty: {
    meaning: "The project still has artifacts.",
    next: "Move or delete its artifacts first, then delete the project.",
  },
  content_too_large: {
    meaning: "The document, or a file beside it, is larger than the instance accepts.",
    next: "Send at most `limitBytes` bytes. Put images and data into files beside the document.",
  },
  misdirected_request: {
    meaning: "The `Host` header names a host that this instance doesn't serve.",
    next: "Use the public URL of the instance. Operators add further hosts to `ALLOWED_HOSTS`.",
  },
  rate_limited: {
    meaning: "The caller sent more requests in a minute than the instance allows.",
    next: "Wait `retryAfterSeconds`, then send the request again. `RateLimit` shows what is left.",
  },
  internal: {
    meaning: "The instance failed. The cause is in the operator's log under the `requestId`.",
    next: "Send the request again with the same `Idempotency-Key`. If it keeps failing, give the operator the `requestId`.",
  },
  not_implemented: {
    meaning: "The instance doesn't have the format that the request asks for.",
    next: "Ask for another format. oEmbed is answered as JSON: leave `format` out, or send `format=json`.",
  },
  billing_unavailable: {
    meaning: "The payment provider can't be reached, or this instance sells no plans.",
    next: "Try again after `Retry-After`. On an instance that sells no plans the operator sets them.",
  },
  identity_unavailable: {
    meaning: "The identity provider can't be reached, so signing in through it fails.",
    next: "Try again after `Retry-After`. Sessions, keys and tokens keep working.",
  },
  busy: {
    meaning: "All compilers and renderers of the instance are in use. Your source may well be valid.",
    next: "Send the same request again after `retryAfterSeconds`.",
  },
  unavailable: {
    meaning:
      "The instance can't serve the request at the moment, for example because its database is full or read-only.",
    next: "Try again after `Retry-After`. `detail` says what is missing.",
  },
};
