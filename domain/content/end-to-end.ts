// Bytes of many rows as one parameter of a statement: PostgreSQL takes them as they are, where in JSON or in an array
// they would be text to be read.

/** Where a part lies, as `substring(… FROM at FOR length)` wants it: PostgreSQL counts from one. */
export interface Place {
  readonly at: number;
  readonly length: number;
}

export class EndToEnd {
  readonly #parts: Uint8Array[] = [];
  #end = 1;

  add(part: Uint8Array): Place {
    const at = this.#end;
    this.#parts.push(part);
    this.#end += part.length;
    return { at, length: part.length };
  }

  bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }
}
