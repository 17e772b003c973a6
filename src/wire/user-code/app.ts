import type { JsonObject } from '../../base/json/json.js';
import type { ServerAddress } from './server-address.js';

/** Start data for the thread of the project's HTTP app (`http.app` of langgraph.json, workers/app). */
export interface AppWorkerData {
  /** URL of the module to import. */
  module: string;
  exportName: string;
  /** Environment variables of the project. */
  env: Record<string, string>;
  own: ServerAddress;
}

/** Names in lower case. `set-cookie` may occur several times. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** Path prefix of a route or middleware of the app. Requests outside all prefixes never reach the app. */
export interface AppPath {
  /** Upper case. Null: any method. */
  method: string | null;
  /** Decoded, without a trailing slash. */
  prefix: string;
}

/** A request as the app receives it. The body follows when the app reads it. */
export interface AppRequest {
  method: string;
  url: string;
  headers: HeaderList;
  hasBody: boolean;
  /** True if a built-in route exists at this address. */
  builtIn: boolean;
  /** The authenticated user, if known at this point; otherwise null. */
  user: JsonObject | null;
}

export interface AppCalls {
  /** Null if the app does not report its paths. It then receives every request. */
  paths: { params: object; reply: { paths: readonly AppPath[] | null } };
  /** Acknowledgment. Everything else is sent over the port. */
  request: { params: AppRequest; reply: object };
}

export type AppCallType = keyof AppCalls;

export type AppCall<T extends AppCallType = AppCallType> = {
  [K in T]: { serial: number; type: K } & AppCalls[K]['params'];
}[T];

export type AppReply<T extends AppCallType = AppCallType> = { serial: number } & AppCalls[T]['reply'];

/** Messages from the app's thread about one request. */
export type FromApp =
  | { type: 'want-body' }
  /**
   * The app has no route for the request, so a built-in route may answer it. Null fields: headers or body are
   * unchanged. `review`: the app wants to see the status and headers of the built-in response.
   */
  | { type: 'through'; headers: HeaderList | null; bytes: Uint8Array | null; review: boolean }
  /** The app's middleware reads the body of the built-in response. */
  | { type: 'want-answer' }
  /** The body of the built-in response is sent with this status and these headers. */
  | { type: 'keep'; status: number; headers: HeaderList }
  /** The app's own response. `last`: the body is complete. */
  | { type: 'answer'; status: number; headers: HeaderList; bytes: Uint8Array; last: boolean }
  | { type: 'part'; bytes: Uint8Array }
  | { type: 'end' }
  /** The app's code threw, possibly in the middle of a response. */
  | { type: 'failed'; message: string; stack: string | null };

/** Messages from the front thread. */
export type ToApp =
  | { type: 'body'; bytes: Uint8Array }
  /** Status and headers of the built-in response. */
  | { type: 'built-in'; status: number; headers: HeaderList }
  | { type: 'built-in-body'; bytes: Uint8Array }
  | { type: 'no-built-in-body'; reason: string }
  /** The socket has accepted the data sent so far. */
  | { type: 'more' };
