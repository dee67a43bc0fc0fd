// Limits of requests (docs/reference/contract.md §2, "Limits"). Lengths are Unicode code points, sizes bytes of UTF-8.

export const titleLength = 200;
export const noteLength = 2000;
export const viewerEmailCount = 100;
export const searchLength = 200;
/** The URL that an oEmbed answer is about; longer than the longest one of an artifact. */
export const oembedUrlLength = 2048;
/** The greatest size that a consumer of oEmbed can ask for, in CSS pixels. */
export const oembedPixelsMax = 100_000;
export const slugLength = 64;
export const usernameLength = { min: 2, max: 39 } as const;
/** An account changes its name at most `max` times in so many days, because no other account can take a former name. */
export const formerNames = { days: 90, max: 5 } as const;
/** Days until an invitation expires. */
export const invitationDays = 7;
/** Minutes until a sign-in link that was mailed expires. */
export const emailSignInMinutes = 15;
export const iconLength = 8;
export const nameLength = 100;
export const emailLength = 254;
export const pageLimit = { default: 20, max: 100 } as const;
/** A project's artifacts are counted up to this number; the number itself means so many or more. */
export const countedArtifacts = 500;
/** Documents of one project that are listed in reading order. */
export const treeDocuments = 1000;
export const idempotencyKeyLength = 255;
export const idempotencyHours = 24;
export const undeleteDays = 30;
/** Authors of an artifact's versions that are listed. */
export const versionAuthors = 100;
/** Artifacts that a person opened last, which are kept for them. */
export const recentArtifacts = 50;
/** Days whose page views are listed, and for how long they are kept. */
export const viewDays = { default: 30, max: 90 } as const;
/** Lists of versions show the expiry from so many days before retention deletes the content. */
export const expiryWarningDays = 7;

/**
 * Bytes of the source text of one version: the default, and the maximum of MAX_CONTENT_BYTES. An html document that works
 * without a network contains its libraries, which are 4 MB and more.
 */
export const contentBytes = { default: 16 * 1024 * 1024, max: 16 * 1024 * 1024 } as const;
/** Bytes of a body in addition to the content (JSON escapes and the other fields). */
export const bodyBytesBeyondContent = 256 * 1024;
/** Files beside a document: how many of a version, bytes of one, and of all of a version. */
export const filesLimits = { files: 500, fileBytes: 20_000_000, versionBytes: 100_000_000 } as const;
/** Bytes of the path of a file beside a document. */
export const filePathBytes = 255;
/** Missing references of a document that an answer lists; all of them are counted. */
export const missingListed = 16;
/** An uploaded file that no version has is removed after so many hours. */
export const uploadHours = 24;
/** A one-time URL for an upload is valid for so many minutes. */
export const uploadUrlMinutes = 10;
/** The deepest nesting of objects and arrays in a body. */
export const bodyDepth = 16;
/** Texts, numbers, literals, objects and arrays in a body. A long body is long because of its texts. */
export const bodyValues = 10_000;
/** Bytes of a body that are read before the credential is looked up and the request is counted for its principal. */
export const bodyBytesBeforeLookUp = 16 * 1024;
/** The greatest version number (a PostgreSQL integer). */
export const versionNumberMax = 2_147_483_647;

/** Lower-case words of letters and digits, joined by single hyphens. */
export const slugPattern = "^[a-z0-9](?:-?[a-z0-9])*$";

/**
 * Limits of the report about a page, which is written while its screenshot is taken: messages in each list, and
 * characters of a message.
 */
export const pageReportLimits = { messages: 50, characters: 500 } as const;

/** The most artifacts whose access is set in one call. */
export const accessAtOnce = 1000;

/**
 * The most artifacts in a project that moves to another workspace. A publish into the project waits about 80 µs for
 * each.
 */
export const movedArtifacts = 100_000;

/** The longest text that is previewed without an account, in bytes. */
export const publicDraftBytes = 200_000;
