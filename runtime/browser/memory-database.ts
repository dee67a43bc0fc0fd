// Loaded right behind the guard by documents that name a database or a cache: IndexedDB and Cache Storage in the memory of the
// page, whose real ones the sandbox refuses.
import * as database from "fake-indexeddb";
import { MemoryCaches } from "./memory-caches.ts";

const define = (name: string, value: unknown): void =>
  void Object.defineProperty(window, name, { value, configurable: true, writable: true });

for (const [name, value] of Object.entries(database)) if (/^(?:indexedDB$|IDB)/.test(name)) define(name, value);
define("caches", new MemoryCaches());

document.currentScript?.remove();
