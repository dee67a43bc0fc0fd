// Contents outside of the database, as its connection knows them: bytes by a name. A row of `content` names its object.

export interface ObjectStore {
  /** Whether new objects are put there, and those without a row removed. */
  readonly takesNew: boolean;
  /** The bytes, as they were put; null where there is no such object. @throws unavailable */
  get(name: string): Promise<Uint8Array | null>;
  /** @throws unavailable */
  put(name: string, data: Uint8Array): Promise<void>;
  /** Removes it where it is there. @throws unavailable */
  remove(name: string): Promise<void>;
  /** At most 1,000 objects after that name, in the store's order. @throws unavailable */
  list(after: string | null): Promise<readonly ListedObject[]>;
}

export interface ListedObject {
  readonly name: string;
  readonly sizeBytes: number;
  /** By the store's clock. */
  readonly putAt: Date;
}
