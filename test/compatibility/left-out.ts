/**
 * What is left out or different: what happens instead, why, and the test that shows it. Who builds one takes the row and
 * its test away (test/contracts/left-out.test.ts), and adds a row to rows.ts.
 */
export interface LeftOut {
  what: string;
  instead: string;
  why: string;
  /** As in rows.ts. */
  tests: string[];
  /** Methods and options of the stock client, and numbers of traps, that go with it. */
  methods?: string[];
  options?: string[];
  traps?: number[];
}

const here = (name: string): string => `contracts/left-out: ${name}`;

export const LEFT_OUT: LeftOut[] = [
  {
    what: '`input.inject`, `subscription.reconnect` of the second event protocol',
    instead: '`not_supported`',
    why: 'no client sends them, and no server serves them',
    tests: [here('commands that nobody sends are answered as not supported')],
  },
  {
    what: 'stream mode `lifecycle` of runs',
    instead: '422',
    why: 'in the types of the JavaScript client alone; no server documents what it sends. The stream of a thread has it',
    tests: [here('the stream mode lifecycle of runs is refused')],
  },
  {
    what: '`POST /internal/truncate`',
    instead: '404',
    why: 'a hook for tests of the development server: it empties everything',
    tests: [here('the hook that empties everything is not found')],
  },
  {
    what: '`checkpoint_id` of joins',
    instead: 'taken, not used',
    why: 'what a join answers does not depend on it',
    tests: [here('checkpoint_id of a join is taken, and changes nothing')],
  },
  {
    what: '`langsmith_tracer`, `langsmith_session_name`',
    instead: 'taken, not used',
    why: 'nothing is sent to LangSmith; runs are traced with OpenTelemetry',
    tests: [here('langsmith_tracer of a run is taken, and sends nothing')],
  },
  {
    what: 'reconnects of stateless runs that leave nothing',
    instead: 'no `Location`',
    why: 'the run goes with its end, so there is nothing to go on with',
    tests: [
      here('a stateless run that leaves nothing offers no reconnect'),
      'contracts/reconnects: where a client may go on is said only where it can',
    ],
  },
  {
    what: 'events of a background run before anyone joins',
    instead: 'told only with `stream_resumable`; a failure always',
    why: 'nobody asked for them, and making them costs; the state has it all',
    tests: [
      'contracts/sdk-streams: joining without a cursor gives what comes after the join, and only that; who joins after the end of a run',
      'http/joins: a cursor on a run that nobody followed comes to an end',
    ],
  },
  {
    what: 'the `end` event',
    instead: 'the stream closes',
    why: 'the clients take both; the official suite expects none',
    tests: ['contracts/sdk-streams: values'],
  },
  {
    what: 'errors as events of a 200 for what is hidden',
    instead: '404',
    why: 'the status is known before the stream begins',
    tests: ['contracts/error-catalogue: a join or stream of a thread that is hidden has a status of its own'],
  },
  {
    what: 'status `timeout` of a run whose time is over',
    instead: '`timeout`, not `error`',
    why: 'the official server changed to `error`; the clients know both, and this one says why',
    tests: ['webhooks/deliveries: a run that takes too long is announced'],
  },
  {
    what: 'A2A: subscriptions, push configurations',
    instead: '-32601',
    why: 'the official server has none either',
    tests: ['contracts/a2a: what is refused'],
  },
  {
    what: '`checkpointer.path`',
    instead: 'the server does not start',
    why: 'checkpoints are kept in the data folder, where they share structure',
    tests: [here("a checkpointer of one's own keeps the server from starting")],
  },
  {
    what: '`store.index.embed` by the name of a provider',
    instead: 'the server does not start',
    why: 'a provider needs a package and a key of its own; name a function',
    tests: [here('an embedding by the name of a provider keeps the server from starting')],
  },
  {
    what: 'keys of `langgraph.json` for images and for Python, `encryption`',
    instead: 'ignored',
    why: 'there is no image to build and no Python',
    tests: [here('keys of langgraph.json that are for images and for Python change nothing')],
  },
  {
    what: 'whole numbers above 2^53 in threads, runs, assistants and items',
    instead: 'rounded to the nearest double',
    why: 'graphs are JavaScript, which has no others; send ids of that length as texts. Evaluation results keep every digit',
    tests: [here('numbers are doubles, as a graph in JavaScript has them')],
  },
  {
    what: 'variables of Postgres, Redis, queue workers, images',
    instead: 'named in the log',
    why: 'there is no such part',
    tests: [
      'http/environment: what means nothing here is named in one line, with what serves instead, and never with its value',
    ],
  },
];

/** Options that never leave the client: when it gives up, and when it takes a silent connection for a dead one. */
export const STAYS_IN_CLIENT = [
  'signal',
  'streamIdleReconnect',
  'fetch',
  'maxReconnectAttempts',
  'onConnected',
  'onReconnect',
  'reconnectDelayMs',
];
