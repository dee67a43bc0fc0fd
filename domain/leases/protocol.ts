// The protocol between the processes of leases: their times and their messages (docs/architecture/leases.md).

/** Raised by a change of the messages or of what they mean. */
export const protocolVersion = 1;

/**
 * The times of a lease in ms, each on the monotonic clock of one process. A clock may be 8 % fast or slow: the shortest wait of
 * a writer is longer than the longest lease of a holder.
 */
export const times = {
  /** A row answers from memory for so long after the statement that read it was sent, and a holder after its last renewal. */
  answers: 1600,
  /** A row in use that is so old is renewed, off the path of every request. */
  renewsRow: 1000,
  /** Between two looks for rows to renew. */
  looksForRows: 200,
  /** A row is in use for so long after it was read. */
  inUse: 5000,
  /** A write waits at most so long for a holder that does not confirm. */
  waits: 1900,
  /** Between two renewals of a holder. */
  renews: 400,
  /** A holder that has not confirmed after so long cannot renew any more. */
  silent: 500,
} as const;

/** A change, as a writer tells it: the artifacts that it is about, or null for everything. */
export interface Message {
  readonly number: number;
  readonly artifactIds: readonly string[] | null;
}

/** Another process that may answer from memory. */
export interface Holder {
  readonly id: string;
  /** Of another version is a holder whose confirmation means nothing here; its lease is waited for. */
  readonly protocol: number;
  /** Its longest lease by its own program, as a writer waits for it. */
  readonly waitsMs: number;
}

/**
 * One connection to the database, which has the identifier of a holder for as long as it lasts. When it is lost its statements
 * in progress reject.
 */
export interface Link {
  readonly id: string;
  /** Registers the holder durably, and removes the earlier holders of this process, which answer nothing any more. */
  register(earlier: readonly string[]): Promise<void>;
  /** Whether the holder is registered and can still renew. */
  isRegistered(): Promise<boolean>;
  /** Sends the message to every other holder, and returns those that there are; the statement is sent after the change. */
  announce(message: Message): Promise<readonly Holder[]>;
  /** Tells a writer that its message was followed. */
  confirm(writer: string, number: number): Promise<void>;
  /** Keeps holders from renewing. */
  refuseRenewal(ids: readonly string[]): Promise<void>;
  /** Removes holders that cannot renew. */
  remove(ids: readonly string[]): Promise<void>;
}

/** The monotonic clock of a process. */
export interface Clock {
  now(): number;
  /** Calls back after so many ms; returns how to cancel. */
  after(ms: number, call: () => void): () => void;
}

export const processClock: Clock = {
  now: () => performance.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};
