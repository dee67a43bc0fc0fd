// What a page is rendered from and no browser is told. Knows nothing of what it holds.

/** In the data of a page without Kit's client: Kit would write it down for that client all the same (hooks.ts). */
export class OnServer<Value> {
  constructor(readonly value: Value) {}
}
