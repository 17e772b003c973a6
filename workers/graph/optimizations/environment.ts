/**
 * Lets code read `process.env` from memory. Node looks up each variable in a locked map, and LangChain reads some
 * variables dozens of times per run. Changes are written to Node's own object first, so that they are converted and
 * refused as before, and reach threads and processes that are started later.
 */
export function cacheEnvironment(): void {
  const original = process.env;
  const copy = { ...original };
  const synchronize = (name: string | symbol): void => {
    if (typeof name !== 'string') return;
    const value = original[name];
    if (value === undefined) delete copy[name];
    else copy[name] = value;
  };
  process.env = new Proxy(copy, {
    set(_, name, value) {
      const done = Reflect.set(original, name, value);
      synchronize(name);
      return done;
    },
    defineProperty(_, name, descriptor) {
      const done = Reflect.defineProperty(original, name, descriptor);
      synchronize(name);
      return done;
    },
    deleteProperty(_, name) {
      const done = Reflect.deleteProperty(original, name);
      synchronize(name);
      return done;
    },
  });
}
