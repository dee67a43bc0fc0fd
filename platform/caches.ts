// Everything that a process keeps in memory between requests, in one list: what it is, its key, its bound, and what clears it.
// docs/architecture/caches.md is written from the list, and scripts/caches.test.ts refuses a cache that is not in it.
import { LRUCache } from "lru-cache";

const MiB = 1024 * 1024;
const minute = 60_000;

interface CacheEntry {
  readonly keeps: string;
  readonly by: string;
  /** What goes first is the least recently used. Without one, an entry lives as long as the object that it is of. */
  readonly most?: {
    readonly entries?: number;
    readonly bytes?: number;
    readonly entryBytes?: number;
    /** How long an entry lives, in ms. */
    readonly ms?: number;
  };
  readonly clearedBy: string;
}

const unchanging = "nothing: the value of a key never changes";
const withRow = "a change of the row, by the [leases](leases.md)";

export const caches = {
  // Answers, before the router: those of a thousand artifacts of 9 KB, each with its content and by its path.
  readyReads: {
    keeps: "answers to anonymous reads of what anyone may see, as bytes for each coding",
    by: "path and query",
    most: { bytes: 18 * MiB },
    clearedBy: "the end of its row in `leasedRows`, asked at each request",
  },
  readySources: {
    keeps: "the row and the operation that a ready answer was made of",
    by: "the ready answer",
    clearedBy: "the end of the answer",
  },
  // Of some 3,000 that browsers ask for, which accept them compressed; framed documents too.
  readyPages: {
    keeps: "pages of public artifacts that are the same for all readers, as bytes for each coding",
    by: "all that the page is rendered from",
    most: { bytes: 32 * MiB },
    clearedBy: unchanging,
  },
  pageKeys: {
    keeps: "the key of a ready page",
    by: "the answer that the page is rendered from",
    clearedBy: "the end of the answer",
  },
  framedDocuments: {
    keeps: "documents for frames, as bytes for each coding",
    by: "the tag of the answer",
    most: { bytes: 16 * MiB },
    clearedBy: unchanging,
  },
  // Of some 5,000 artifacts.
  remoteReads: {
    keeps: "artifacts that a web process read of an API in another process, with their tags",
    by: "the read's input",
    most: { bytes: 16 * MiB },
    clearedBy: "another tag: the API is asked at each request",
  },
  // Rows.
  leasedRows: {
    keeps: "rows of public artifacts, with those of their projects, owners and versions",
    by: "the request that reads them",
    most: { bytes: 8 * MiB },
    clearedBy: withRow,
  },
  rowsInUse: {
    keeps: "under which lease a row was given",
    by: "the row",
    clearedBy: "the end of the row",
  },
  commonTexts: {
    keeps: "texts that many rows have, as one object",
    by: "the text",
    most: { entries: 1000 },
    clearedBy: unchanging,
  },
  commonObjects: {
    keeps: "actors that many rows have, as one object",
    by: "the actor as JSON",
    most: { entries: 1000 },
    clearedBy: unchanging,
  },
  sharedResults: {
    keeps: "the last result of each read, for the callers who share a row",
    by: "the row, then operation and input",
    clearedBy: withRow,
  },
  encodedResults: {
    keeps: "a shared result as JSON, with its tag",
    by: "the result",
    clearedBy: "the end of the result",
  },
  // Contents.
  // Repeatedly read bytes are in memory twice (docs/decisions/api.md, "Contents that are read again").
  contents: {
    keeps: "the bytes of contents",
    by: "content hash",
    most: { bytes: 16 * MiB },
    clearedBy: unchanging,
  },
  contentHints: {
    keeps: "the content hash last seen of a version, so that the database need not send its bytes",
    by: "artifact and version",
    most: { entries: 20_000 },
    clearedBy: "another hash: the row is read at each request",
  },
  contentHeaders: {
    keeps: "headers and coded bytes of a content that was sent",
    by: "the bytes of the content",
    clearedBy: "the end of the bytes in `contents`",
  },
  storedObjects: {
    keeps: "objects of the bucket, verified by their hash",
    by: "name of the object",
    most: { bytes: 16 * MiB },
    clearedBy: unchanging,
  },
  storeReached: {
    keeps: "when the bucket answered last, for the health check",
    by: "the store",
    clearedBy: "10 s",
  },
  // Made of a content.
  renderings: {
    keeps: "renderings, as they are stored",
    by: "content hash, files, renderer and its version",
    most: { bytes: 32 * MiB },
    clearedBy: "10 minutes, where making it took more than it may; of any other nothing: it never changes",
  },
  pieces: {
    keeps: "formulas and highlighted code of long documents",
    by: "workspace or caller, and what the piece is made of",
    most: { bytes: 16 * MiB },
    clearedBy: unchanging,
  },
  drawings: {
    keeps: "drawings of diagrams",
    by: "content hash",
    most: { bytes: 16 * MiB },
    clearedBy: "its time, where a document has none yet",
  },
  drawingsAsked: {
    keeps: "that a job was asked to draw; an instance without a browser never has drawings",
    by: "content hash",
    most: { entries: 10_000, ms: 60 * minute },
    clearedBy: "its time",
  },
  missingReferences: {
    keeps: "what documents refer to and is not published with them, and their links",
    by: "content hash, type and files",
    most: { bytes: 4 * MiB },
    clearedBy: unchanging,
  },
  lineIndexes: {
    keeps: "the newlines before each block of a long text",
    by: "content hash",
    most: { entries: 2000 },
    clearedBy: unchanging,
  },
  headings: {
    keeps: "the headings of a long text",
    by: "content hash and type",
    most: { bytes: 16 * MiB },
    clearedBy: unchanging,
  },
  diffs: {
    keeps: "differences of two versions, as JSON and as a patch",
    by: "the tag of the answer: both hashes, the numbers and the context",
    most: { bytes: 16 * MiB },
    clearedBy: unchanging,
  },
  fileSets: {
    keeps: "the paths of the files beside a version",
    by: "file set",
    most: { bytes: 8 * MiB },
    clearedBy: unchanging,
  },
  packageLocks: {
    keeps: "complete locks of packages",
    by: "artifact and version",
    most: { entries: 2000, bytes: 16 * MiB, entryBytes: MiB },
    clearedBy: "a retry of the packages; in other processes after 30 s",
  },
  packageLocksAsked: {
    keeps: "that a job was asked for a lock",
    by: "artifact and version",
    most: { entries: 10_000, ms: minute },
    clearedBy: "its time",
  },
  withoutPackages: {
    keeps: "versions of jsx that import no package",
    by: "artifact and version",
    most: { entries: 50_000 },
    clearedBy: unchanging,
  },
  imageLocks: {
    keeps: "complete locks of images",
    by: "artifact and version",
    most: { entries: 2000, bytes: 16 * MiB },
    clearedBy: unchanging,
  },
  imageLocksAsked: {
    keeps: "when readers asked for a lock of images",
    by: "artifact and version",
    most: { entries: 10_000 },
    clearedBy: "the lock",
  },
  // Of others.
  packageNames: {
    keeps: "whether the registry has a package",
    by: "name",
    most: { entries: 20_000 },
    clearedBy: "a day, or 30 s where it has none",
  },
  issuerKeys: {
    keeps: "the keys of an issuer of id tokens",
    by: "issuer",
    most: { entries: 100 },
    clearedBy: "10 minutes, or a token with an unknown key, at most every 30 s",
  },
  // Callers.
  validCredentials: {
    keeps: "that a credential was valid, for the rate of refusals; each request checks it again",
    by: "credential",
    most: { entries: 10_000 },
    clearedBy: "its refusal",
  },
  endedCredentials: {
    keeps: "the refusal of a credential that has ended, which never becomes valid again",
    by: "credential",
    most: { entries: 10_000, ms: 10 * minute },
    clearedBy: "its time",
  },
  spentAddresses: {
    keeps: "until when an address has spent its rate of refusals",
    by: "address",
    most: { entries: 10_000 },
    clearedBy: "the end of the rate's window",
  },
  deliveredTickets: {
    keeps: "tickets whose delivery was counted as a use of a share link",
    by: "ticket",
    most: { entries: 5000 },
    clearedBy: unchanging,
  },
  browserNames: {
    keeps: "whether a User-Agent is a program's",
    by: "User-Agent",
    most: { entries: 1000 },
    clearedBy: unchanging,
  },
  // Of descriptions, which are there from the start.
  fieldValidators: {
    keeps: "the compiled validator of a surface's own fields",
    by: "the schema",
    clearedBy: unchanging,
  },
} as const satisfies Readonly<Record<string, CacheEntry>>;

type CacheName = keyof typeof caches;
type Bounded = {
  [Name in CacheName]: (typeof caches)[Name] extends { readonly most: object } ? Name : never;
}[CacheName];

export type Cache<Value extends object | string | number | boolean> = LRUCache<string, Value>;

type Options<Value extends object | string | number | boolean> = Pick<
  LRUCache.Options<string, Value, unknown>,
  "sizeCalculation" | "dispose"
>;

/** A cache of the list, empty. A value says its size at `set`, or by `sizeCalculation`. `most` is another bound, for tests. */
export function createCache<Value extends object | string | number | boolean>(
  name: Bounded,
  options: Options<Value> = {},
  most: CacheEntry["most"] = caches[name].most,
): Cache<Value> {
  const { entries, bytes, entryBytes, ms } = most;
  const bound = { max: entries ?? 0, maxSize: bytes ?? 0, maxEntrySize: entryBytes ?? bytes ?? 0, ttl: ms ?? 0 };
  return new LRUCache<string, Value>({ ...bound, ...options });
}

/** A cache of the list whose entries live as long as the objects that they are of. */
export const createObjectCache = <Key extends object, Value>(_name: Exclude<CacheName, Bounded>): WeakMap<Key, Value> =>
  new WeakMap<Key, Value>();
