// Finds the documents that keep something in a database or a cache of the browser, by name or by a library that does.

const named = /\bindexedDB\b|\bcaches\s*[.?[]|\b(?:idb|idb-keyval|localforage|dexie|pouchdb|lovefield)\b/i;

/** Whether the code may use one: those that only mention it load a script of 20 KB for nothing. */
export const usesDatabase = (code: string): boolean => named.test(code);
