// A Storage that lasts as long as its page: all of the interface, also by property, within the usual 5 MB.

/** Of keys and values together, in UTF-16 units. */
const quota = 5_000_000;

export function memoryStorage(): Storage {
  const items = new Map<string, string>();
  let used = 0;
  // Keys and values are converted to strings, as in the browser's own storage.
  const methods = {
    getItem: (key: unknown) => items.get(String(key)) ?? null,
    setItem(key: unknown, value: unknown) {
      const [name, text] = [String(key), String(value)];
      const before = items.get(name);
      const after = used + text.length - (before === undefined ? -name.length : before.length);
      if (after > quota) throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
      used = after;
      items.set(name, text);
    },
    removeItem(key: unknown) {
      const name = String(key);
      const value = items.get(name);
      if (value === undefined) return;
      used -= name.length + value.length;
      items.delete(name);
    },
    clear() {
      items.clear();
      used = 0;
    },
    key: (index: number) => [...items.keys()][Math.trunc(index) || 0] ?? null,
  };
  const own = (key: string | symbol): key is string => typeof key === "string" && items.has(key);
  return new Proxy(Object.create(Storage.prototype) as Storage, {
    get(target, key) {
      if (key === "length") return items.size;
      if (Object.hasOwn(methods, key)) return methods[key as keyof typeof methods];
      return own(key) ? items.get(key) : Reflect.get(target, key);
    },
    set(target, key, value: unknown) {
      if (typeof key === "symbol") return Reflect.set(target, key, value);
      methods.setItem(key, value);
      return true;
    },
    has: (target, key) => own(key) || Reflect.has(target, key),
    deleteProperty(target, key) {
      if (typeof key === "symbol") return Reflect.deleteProperty(target, key);
      methods.removeItem(key);
      return true;
    },
    defineProperty(target, key, descriptor) {
      if (typeof key === "symbol") return Reflect.defineProperty(target, key, descriptor);
      methods.setItem(key, descriptor.value);
      return true;
    },
    ownKeys: (target) => [...items.keys(), ...Reflect.ownKeys(target).filter((key) => typeof key === "symbol")],
    getOwnPropertyDescriptor: (target, key) =>
      own(key)
        ? { value: items.get(key), writable: true, enumerable: true, configurable: true }
        : Reflect.getOwnPropertyDescriptor(target, key),
  });
}
