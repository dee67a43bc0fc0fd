// A Storage that lasts as long as its page: all of the interface, also by property and by its prototype, within the usual 5 MB.

/** Of keys and values together, in UTF-16 units. */
const quota = 5_000_000;

/** The methods of a Storage in memory, which convert keys and values to strings as the browser's own do. */
interface Memory {
  readonly length: number;
  getItem(key: unknown): string | null;
  setItem(key: unknown, value: unknown): void;
  removeItem(key: unknown): void;
  clear(): void;
  key(index: unknown): string | null;
}

const memories = new WeakMap<object, Memory>();

function memoryOf(items: Map<string, string>): Memory {
  let used = 0;
  return {
    get length() {
      return items.size;
    },
    getItem: (key) => items.get(String(key)) ?? null,
    setItem(key, value) {
      const [name, text] = [String(key), String(value)];
      const before = items.get(name);
      const after = used + text.length - (before === undefined ? -name.length : before.length);
      if (after > quota) throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
      used = after;
      items.set(name, text);
    },
    removeItem(key) {
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
    key: (index) => [...items.keys()][Math.trunc(Number(index)) || 0] ?? null,
  };
}

export function memoryStorage(): Storage {
  const items = new Map<string, string>();
  const memory = memoryOf(items);
  // As in the browser's own, the prototype has precedence over an item of the same name.
  const own = (key: string | symbol): key is string =>
    typeof key === "string" && items.has(key) && !(key in Storage.prototype);
  const storage = new Proxy(Object.create(Storage.prototype) as Storage, {
    get: (target, key, receiver) => (own(key) ? items.get(key) : Reflect.get(target, key, receiver)),
    set(target, key, value: unknown) {
      if (typeof key === "symbol") return Reflect.set(target, key, value);
      memory.setItem(key, value);
      return true;
    },
    has: (target, key) => own(key) || Reflect.has(target, key),
    deleteProperty(target, key) {
      if (typeof key === "symbol") return Reflect.deleteProperty(target, key);
      memory.removeItem(key);
      return true;
    },
    defineProperty(target, key, descriptor) {
      if (typeof key === "symbol") return Reflect.defineProperty(target, key, descriptor);
      memory.setItem(key, descriptor.value);
      return true;
    },
    ownKeys: (target) => [...items.keys(), ...Reflect.ownKeys(target).filter((key) => typeof key === "symbol")],
    getOwnPropertyDescriptor: (target, key) =>
      own(key)
        ? { value: items.get(key), writable: true, enumerable: true, configurable: true }
        : Reflect.getOwnPropertyDescriptor(target, key),
  });
  memories.set(storage, memory);
  return storage;
}

/**
 * Has the prototype's methods and `StorageEvent` take storages in memory: scripts call the methods on one, replace them to
 * watch it, and tell other scripts of a change of it.
 */
export function adoptMemoryStorages(): void {
  const { prototype } = Storage;
  for (const name of ["getItem", "setItem", "removeItem", "clear", "key"] as const) {
    const native = prototype[name] as (...given: unknown[]) => unknown;
    const method = {
      [name](this: Storage, ...given: [unknown, unknown]): unknown {
        const memory = memories.get(this);
        return memory === undefined ? native.apply(this, given) : memory[name](...given);
      },
    }[name];
    Object.defineProperty(prototype, name, { value: method, configurable: true, enumerable: true, writable: true });
  }
  const length = Object.getOwnPropertyDescriptor(prototype, "length");
  Object.defineProperty(prototype, "length", {
    ...length,
    get(this: Storage): number {
      return memories.get(this)?.length ?? (length?.get?.call(this) as number);
    },
  });

  const Native = StorageEvent;
  const Adopting = class StorageEvent extends Native {
    constructor(type: string, init: StorageEventInit = {}) {
      const area = init.storageArea ?? null;
      const isMemory = area !== null && memories.has(area);
      super(type, isMemory ? { ...init, storageArea: null } : init);
      if (isMemory) Object.defineProperty(this, "storageArea", { value: area });
    }
  };
  Object.defineProperty(window, "StorageEvent", { value: Adopting, configurable: true, writable: true });
}
