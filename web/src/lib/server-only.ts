// A wrapper for page data that the server renders from and never sends to the browser. Independent of its content.

/** In the data of a page without Kit's client: Kit would write it down for that client all the same (hooks.ts). */
export class ServerOnly<Value> {
  constructor(readonly value: Value) {}
}
