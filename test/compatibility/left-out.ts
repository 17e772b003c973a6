/**
 * Features of the Agent Server that are missing or different here: the behavior here, the reason, and the test that
 * shows it. To implement one, remove its row and its test (test/contracts/left-out.test.ts) and add a row to rows.ts.
 */
export interface LeftOut {
  what: string;
  instead: string;
  why: string;
  /** As in rows.ts. */
  tests: string[];
  /** Methods and options of the stock client, and numbers of traps, that belong to this feature. */
  methods?: string[];
  options?: string[];
  traps?: number[];
}

const here = (name: string): string => `contracts/left-out: ${name}`;

export const LEFT_OUT: LeftOut[] = [
  {
    what: '`input.inject`, `subscription.reconnect` of event protocol v2',
    instead: '`not_supported`',
    why: 'no client sends them, and no server supports them',
    tests: [here('answers unsupported commands as unsupported')],
  },
  {
    what: 'stream mode `lifecycle` of runs',
    instead: '422',
    why: 'only the types of the JavaScript client have it, and no server documents its events. The stream of a thread supports it',
    tests: [here('refuses the stream mode lifecycle of runs')],
  },
  {
    what: '`POST /internal/truncate`',
    instead: '404',
    why: 'a test hook of the development server that deletes all data',
    tests: [here('returns 404 for the route that deletes everything')],
  },
  {
    what: '`checkpoint_id` of joins',
    instead: 'accepted, ignored',
    why: 'the response of a join does not depend on it',
    tests: [here('accepts checkpoint_id of a join without effect')],
  },
  {
    what: '`langsmith_tracer`, `langsmith_session_name`',
    instead: 'accepted, ignored',
    why: 'nothing is sent to LangSmith; runs are traced with OpenTelemetry',
    tests: [here('accepts langsmith_tracer of a run and sends nothing')],
  },
  {
    what: 'reconnecting to stateless runs that keep nothing',
    instead: 'no `Location`',
    why: 'the run is removed at its end, so there is nothing to reconnect to',
    tests: [
      here('offers no reconnect for a stateless run that keeps nothing'),
      'contracts/reconnects: offers to resume only streams that can be resumed',
    ],
  },
  {
    what: 'events of a background run before a client joins',
    instead: 'sent only with `stream_resumable`; an error is always sent',
    why: 'events without readers cost time, and the state has all the data',
    tests: [
      'contracts/sdk-streams: sends only later events to a client that joins without a cursor; returns nothing more to a client that joins after the end of a run',
      'http/joins: ends a stream from a cursor of a run without listeners',
    ],
  },
  {
    what: 'the `end` event',
    instead: 'the stream closes',
    why: 'the clients accept both; the official test suite expects none',
    tests: ['contracts/sdk-streams: values'],
  },
  {
    what: 'an `error` event in a 200 response for hidden threads',
    instead: '404',
    why: 'the status is known before the stream begins',
    tests: ['contracts/error-catalogue: returns its own status for a join or stream of a hidden thread'],
  },
  {
    what: 'status of a run that exceeds its time limit',
    instead: '`timeout`, not `error`',
    why: 'the official server changed to `error`; the clients know both, and `timeout` gives the reason',
    tests: ['webhooks/deliveries: delivers a run that times out'],
  },
  {
    what: 'changing the assistant of a graph, for a user with a filter',
    instead:
      '403, unless its own metadata (`created_by: system`) match the filter. Every user sees it, as the Agent Server documents; the development server hides it',
    why: 'everyone shares this assistant, and a change would affect the runs of all',
    tests: ['access/assistants: shows the assistant of a graph to everyone and lets only unfiltered users change it'],
  },
  {
    what: 'deleting the assistant of a graph',
    instead: '409 for everyone',
    why: 'it would return at the next start, without its versions, crons and threads',
    tests: ['access/assistants: shows the assistant of a graph to everyone and lets only unfiltered users change it'],
  },
  {
    what: 'changing an assistant so that the own filter no longer matches',
    instead: '403',
    why: 'the caller could neither see nor undo the change',
    tests: ['access/assistants: refuses a change that would hide the assistant from its own caller'],
  },
  {
    what: 'filters of a handler with unknown operators, lists or objects',
    instead: '500, and the log names the place',
    why: 'the development server ignores such a condition, which would show the records of others',
    tests: [
      'access/filter: names the place of what is wrong in a filter',
      'access/handlers: applies $or and $contains, treats false as 403 and an invalid verdict as 500',
    ],
  },
  {
    what: '`x-auth-scheme: langsmith` without settings',
    instead: 'has no effect; with `auth.disable_studio_auth: false` it needs a valid key',
    why: 'the header alone would let everyone pass the handler',
    tests: ['access/options: admits the studio only where it is enabled, and only with a key'],
  },
  {
    what: 'events of `POST …/runs/crons`',
    instead: '`threads:create_run` and `assistants:read` after `crons:create`',
    why: 'a cron starts runs: a handler that limits runs limits them here too',
    tests: ['crons/callers: needs the scope to start runs to create a cron'],
  },
  {
    what: 'A2A: subscriptions, push configurations',
    instead: '-32601',
    why: 'the official server does not support them either',
    tests: ['contracts/a2a: refuses invalid requests'],
  },
  {
    what: '`checkpointer.path`',
    instead: 'the server does not start',
    why: 'checkpoints are stored in the data folder, where they share content',
    tests: [here('refuses to start with a custom checkpointer')],
  },
  {
    what: '`store.index.embed` by the name of a provider',
    instead: 'the server does not start',
    why: 'a provider needs its own package and key; name a function instead',
    tests: [here('refuses to start with an embedding named by provider')],
  },
  {
    what: 'keys of `langgraph.json` for images and for Python, `encryption`',
    instead: 'ignored',
    why: 'Threadmill builds no images and runs no Python',
    tests: [here('accepts keys of langgraph.json for images and Python without effect')],
  },
  {
    what: 'whole numbers above 2^53 in threads, runs, assistants and items',
    instead: 'rounded to the nearest double',
    why: 'graphs are JavaScript, whose numbers are doubles; send ids of that length as text. Evaluation results keep every digit',
    tests: [here('reads numbers as doubles, as JavaScript graphs do')],
  },
  {
    what: 'variables for Postgres, Redis, queue workers, images',
    instead: 'ignored, with a line in the log',
    why: 'Threadmill has none of these components',
    tests: ['http/environment: names unused variables in one line with their replacement, and never with their values'],
  },
];

/** Options that the client never sends, such as time limits and reconnect settings. */
export const STAYS_IN_CLIENT = [
  'signal',
  'streamIdleReconnect',
  'fetch',
  'maxReconnectAttempts',
  'onConnected',
  'onReconnect',
  'reconnectDelayMs',
];

/** Parts of the evaluation API that are missing here, by the requests of the `langsmith` clients. */
export interface EvaluationLeftOut {
  what: string;
  why: string;
  /** Resource methods of the JavaScript client that send these requests; `name.*` for all of a part. */
  methods?: readonly string[];
  /** Methods of the client itself. */
  clientMethods?: readonly string[];
}

export const EVALUATION_LEFT_OUT: readonly EvaluationLeftOut[] = [
  {
    what: 'share links of conversations',
    why: 'no client reads them, and their page is not documented. Share the traces of the conversation instead',
    methods: ['threads.share.*'],
  },
  {
    what: 'export of annotation queues',
    why: 'the format of the response is not documented. `GET …/runs` and the feedback of the runs have the same data',
    methods: ['annotationQueues.export'],
  },
  {
    what: 'prebuilt dashboards of projects',
    why: 'only the user interface of LangSmith reads them. `/metrics` and the statistics of projects have the figures',
    methods: ['sessions.dashboard'],
  },
  {
    what: 'evaluators that the API defines: online evaluators, decision models',
    why: 'they would store code and prompts in the server. [Rules](rules.md) run evaluators of the project',
    methods: ['evaluators.createDecisionModel', 'onlineEvaluators.*'],
  },
  {
    what: 'prompts, prompt webhooks, and agents and skills in the prompt hub',
    why: 'a prompt registry is not a part of serving or evaluating graphs',
    methods: ['promptWebhooks.*'],
    clientMethods: [
      'listPrompts',
      'getPrompt',
      'promptExists',
      'likePrompt',
      'unlikePrompt',
      'listCommits',
      'createPrompt',
      'createCommit',
      'updatePrompt',
      'deletePrompt',
      'pullPromptCommit',
      'pushPrompt',
      'pullAgent',
      'pushAgent',
      'deleteAgent',
      'listAgents',
      'agentExists',
      'pullSkill',
      'pushSkill',
      'deleteSkill',
      'listSkills',
      'skillExists',
    ],
  },
  {
    what: 'sandboxes and the fleet',
    why: 'they run code on machines of LangSmith',
    methods: ['sandboxes.*', 'fleet.*'],
  },
  {
    what: 'the agent registry',
    why: 'it belongs to the hosted platform and is in beta. Runs that name an agent address instead of a project go to the project `default`',
    methods: ['agents.*'],
  },
  {
    what: 'issues, insights, SQL over traces, and product feedback',
    why: 'they are analyses and support of the hosted platform',
    methods: ['issues.*', 'sql.*', 'productFeedback.*'],
  },
];
