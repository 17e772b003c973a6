import { waitForWork } from './batched-store.js';
import type * as Packages from './packages.js';

/**
 * The copy of LangGraph that the graphs themselves use: the user's own where there is one, ours otherwise. A saver or a
 * message of another copy would fail its `instanceof` tests.
 */
export interface Library {
  langgraph: typeof Packages.langgraph;
  checkpoint: typeof Packages.checkpoint;
  messages: typeof Packages.messages;
  /** Reads the schemas that a graph was built with. */
  schemas: typeof Packages.schemas;
  jsonSchema: typeof Packages.jsonSchema;
  /** The checkpoint package's own serializer, taken from a MemorySaver because not every release exports its class. */
  serde: {
    dumpsTyped(value: unknown): Promise<[string, Uint8Array]>;
    loadsTyped(type: string, data: Uint8Array | string): Promise<unknown>;
  };
}

/** `module` was made by pool/graphs/bundle.ts and re-exports these packages as the project resolves them. */
export async function loadLibrary(module: string): Promise<Library> {
  const packages = (await import(module)) as Omit<Library, 'serde'>;
  waitForWork(packages.checkpoint);
  return { ...packages, serde: new packages.checkpoint.MemorySaver().serde as Library['serde'] };
}

/** Makes a class once per copy of the library: made anew for every run it would cost more than the run's own work with it. */
export function oncePerLibrary<T extends object>(make: (library: Library) => T): (library: Library) => T {
  const made = new WeakMap<Library, T>();
  return (library) => {
    let known = made.get(library);
    if (known === undefined) {
      known = make(library);
      made.set(library, known);
    }
    return known;
  };
}

export interface MessageLike {
  toDict(): { type: string; data: Record<string, unknown> };
  lc_kwargs: Record<string, unknown>;
  content: unknown;
  id?: string;
  constructor: { name: string };
}

/** Any LangChain message, of whichever copy: values having `toDict()` are flattened on the wire (agent-server.md, section 1). */
export function isMessage(value: object): value is MessageLike {
  return typeof (value as Partial<MessageLike>).toDict === 'function' && 'lc_kwargs' in value;
}
