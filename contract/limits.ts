// Bounds of what may be sent (docs/reference/contract.md §2, "Limits"). Lengths are Unicode code points, sizes bytes of
// UTF-8.

export const titleLength = 200;
export const noteLength = 2000;
export const viewerEmailCount = 100;
export const searchLength = 200;
export const slugLength = 64;
export const usernameLength = { min: 2, max: 39 } as const;
/** A name that was given up leads to its owner, and is nobody else's, for so long; an account keeps so many. */
export const formerNames = { days: 90, max: 5 } as const;
/** How long an invitation can be accepted. */
export const invitationDays = 7;
export const iconLength = 8;
export const nameLength = 100;
export const emailLength = 254;
export const pageLimit = { default: 20, max: 100 } as const;
/** So far the artifacts of a project are counted: this number stands for so many or more. */
export const countedArtifacts = 500;
export const idempotencyKeyLength = 255;
export const idempotencyHours = 24;
export const undeleteDays = 30;
/** From so many days before retention takes a version on, lists of versions say so. */
export const expiryWarningDays = 7;

/** Source text of one version: the default, and the most an instance may raise it to (MAX_CONTENT_BYTES). */
export const contentBytes = { default: 2 * 1024 * 1024, max: 16 * 1024 * 1024 } as const;
/** What a body may hold beside the content (JSON escapes and the other fields). */
export const bodyBytesBeyondContent = 256 * 1024;
/** Objects and arrays inside each other in a body. */
export const bodyDepth = 16;
/** Texts, numbers, literals, objects and arrays in a body: a body is long by its texts. */
export const bodyValues = 10_000;
/** What is read of a body before the credential is looked up and its principal counted. */
export const bodyBytesBeforeLookUp = 16 * 1024;
/** The greatest version number (a PostgreSQL integer). */
export const versionNumberMax = 2_147_483_647;

/** Lower-case words of letters and digits, joined by single hyphens. */
export const slugPattern = "^[a-z0-9](?:-?[a-z0-9])*$";

/** Of what a page says while its picture is taken: messages of each list, and characters of one. */
export const pageReportLimits = { messages: 50, characters: 500 } as const;

/** Artifacts of a project that is moved to another workspace: whoever publishes into it waits for some 80 µs of each. */
export const movedArtifacts = 100_000;
