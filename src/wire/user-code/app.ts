import type { JsonObject } from '../../base/json/json.js';
import type { OwnServer } from './own-server.js';

/** The project's own HTTP app (`http.app` of langgraph.json) runs in a thread of its own (workers/app). */
export interface AppWorkerData {
  /** URL of the module to import. */
  module: string;
  exportName: string;
  /** The project's environment. */
  env: Record<string, string>;
  own: OwnServer;
}

/** Names in lower case; `set-cookie` may come several times. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** Where an app's routes and middleware begin: what begins otherwise is none of its business. */
export interface AppPath {
  /** Upper case; null: any. */
  method: string | null;
  /** Decoded, without a slash at its end. */
  prefix: string;
}

/** A request as the app is asked about it; its body is sent when the app reads it. */
export interface AppRequest {
  method: string;
  url: string;
  headers: HeaderList;
  hasBody: boolean;
  /** There is a built-in route at this address. */
  builtIn: boolean;
  /** Who asks, where that was found out before; null otherwise. */
  user: JsonObject | null;
}

export interface AppKinds {
  /** Null: the app does not say, so it is asked about every request. */
  paths: { ask: object; answer: { paths: readonly AppPath[] | null } };
  /** Taken: all else is said in the conversation. */
  request: { ask: AppRequest; answer: object };
}

export type AppType = keyof AppKinds;

export type AppAsk<T extends AppType = AppType> = { [K in T]: { serial: number; type: K } & AppKinds[K]['ask'] }[T];

export type AppAnswer<T extends AppType = AppType> = { serial: number } & AppKinds[T]['answer'];

/** What the app's thread says about one request. */
export type FromApp =
  | { type: 'want-body' }
  /** None of its routes: a built-in one may answer. Null: headers and body as they were sent. `review`: it wants to see the head of that answer. */
  | { type: 'through'; headers: HeaderList | null; bytes: Uint8Array | null; review: boolean }
  /** Its middleware reads the built-in answer's body. */
  | { type: 'want-answer' }
  /** The built-in answer's body goes out under this head. */
  | { type: 'keep'; status: number; headers: HeaderList }
  /** The app's own answer. `last`: all of it is here. */
  | { type: 'answer'; status: number; headers: HeaderList; bytes: Uint8Array; last: boolean }
  | { type: 'part'; bytes: Uint8Array }
  | { type: 'end' }
  /** Its code threw, also in the middle of an answer. */
  | { type: 'failed'; message: string; stack: string | null };

/** What the front says to it. */
export type ToApp =
  | { type: 'body'; bytes: Uint8Array }
  /** The head of the built-in answer. */
  | { type: 'built-in'; status: number; headers: HeaderList }
  | { type: 'built-in-body'; bytes: Uint8Array }
  | { type: 'no-built-in-body'; reason: string }
  /** The socket has taken what was sent. */
  | { type: 'more' };
