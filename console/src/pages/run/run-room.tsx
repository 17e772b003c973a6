import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { client } from '../../api/client.js';
import { messageFrom } from '../../api/http.js';
import { Button } from '../../components/button.js';
import { JsonTree } from '../../components/json-tree.js';
import { Empty, ErrorNote, Loading, Note } from '../../components/note.js';
import { Page, Panel } from '../../components/page.js';
import { useQueryString, type QueryChanges } from '../../components/query-string.js';
import { Tabs } from '../../components/tabs.js';
import { AssistantField } from '../../shared/assistant-field.js';
import { Questions } from '../../shared/questions.js';
import { emptyOf, type JsonSchema } from '../../schema/model.js';
import { settle, type Conversation } from './conversation.js';
import { ConversationView } from './conversation-view.js';
import { CustomView, EventsView } from './events-view.js';
import { isOver } from './follow-run.js';
import { GraphView } from './graph-view.js';
import { isChat, nextOf, sentOf } from './input.js';
import { changedFrom, payloadOf, USUAL } from './options.js';
import { RunInput } from './run-input.js';
import { RunOptions } from './run-options.js';
import { RunStatus } from './run-status.js';
import { StepsView } from './steps-view.js';
import { ThreadPicker } from './thread-picker.js';
import { useNow, useRun } from './use-run.js';
import { useWidth } from './use-width.js';
import styles from './run-room.module.css';

/** From here on the graph has a place of its own beside the steps. */
const WIDE_PX = 1_800;
const NO_SCHEMA: JsonSchema = {};

/** A run: chosen, started, watched. All that another person needs to see the same stands in the address. */
export function RunRoom() {
  const [query, changeQuery] = useQueryString();
  const queryClient = useQueryClient();
  const asked = query.get('assistant');
  const threadId = query.get('thread');
  const runId = query.get('run');
  const [stateless, setStateless] = useState(false);
  const [options, setOptions] = useState(USUAL);
  const [choosing, setChoosing] = useState(false);
  const said = useRef<Conversation>(new Map());
  const { followed, retry } = useRun(threadId, runId, () => said.current);
  const wide = useWidth(WIDE_PX);

  // A link to a run need not say whose it is.
  const assistantId = asked ?? followed?.run?.assistant_id ?? null;
  const first = useQuery({
    queryKey: ['run', 'first'],
    queryFn: ({ signal }) => client.assistants.search({ limit: 1, sortBy: 'name', sortOrder: 'asc', signal }),
    enabled: assistantId === null && runId === null,
  });
  const chosenId = assistantId ?? (runId === null ? first.data?.[0]?.assistant_id : undefined) ?? null;
  const assistant = useQuery({
    queryKey: ['run', 'assistant', chosenId],
    queryFn: ({ signal }) => client.assistants.get(chosenId!, { signal }),
    enabled: chosenId !== null,
    placeholderData: keepPreviousData,
  });
  const schemas = useQuery({
    queryKey: ['run', 'schemas', chosenId],
    queryFn: ({ signal }) => client.assistants.getSchemas(chosenId!, { signal }),
    enabled: chosenId !== null,
    staleTime: 60_000,
  });
  const before = useQuery({
    queryKey: ['run', 'state', threadId],
    queryFn: ({ signal }) => client.threads.getState(threadId!, undefined, { subgraphs: false, signal }),
    enabled: threadId !== null && runId === null,
  });

  const inputSchema = (schemas.data?.input_schema ?? NO_SCHEMA) as JsonSchema;
  // What was typed for each assistant; undefined: nothing yet.
  const [typed, setTyped] = useState<Readonly<Record<string, { value: unknown }>>>({});
  const input =
    typed[chosenId ?? ''] === undefined ? emptyOf(inputSchema, inputSchema, true) : typed[chosenId ?? '']!.value;
  const [round, setRound] = useState(0);
  // What kept a stopped run from going on.
  const [failed, setFailed] = useState<string | null>(null);
  // The run that asks, and is left without an answer for now.
  const [another, setAnother] = useState<string | null>(null);

  // The way back leads to the run before.
  const change = (changes: QueryChanges): void => changeQuery(changes, { push: true });

  const view = followed?.view ?? null;
  const conversation =
    view?.conversation ?? (before.data === undefined ? new Map() : settle(new Map(), before.data.values, 1));
  if (runId !== null || before.data !== undefined) said.current = conversation;
  const values = view === null ? before.data?.values : view.values;

  /** Makes the run, and lets the address say which it is. */
  const begin = async (what: Record<string, unknown>): Promise<void> => {
    const target = chosenId!;
    const thread = threadId ?? (stateless ? null : (await client.threads.create()).thread_id);
    if (thread === null || thread !== threadId) said.current = new Map();
    const run = await client.runs.create(thread as string, target, { ...payloadOf(options), ...what });
    await queryClient.cancelQueries({ queryKey: ['run', 'threads'] });
    void queryClient.invalidateQueries({ queryKey: ['run', 'threads'] });
    change({ assistant: target, thread, run: run.run_id });
  };
  const start = async (): Promise<void> => {
    await begin({ input: sentOf(inputSchema, input) });
    // A chat goes on with an empty message; other input is often wanted again, a little changed.
    if (isChat(inputSchema)) {
      setTyped({ ...typed, [chosenId!]: { value: nextOf(inputSchema, input) } });
      setRound(round + 1);
    }
  };

  const again = async (): Promise<void> => {
    try {
      setFailed(null);
      await begin({ input: null });
    } catch (caught) {
      setFailed(messageFrom(caught));
    }
  };

  const done = followed !== null && isOver(followed.status);
  const running = followed !== null && !done && followed.link.kind !== 'gone';
  const now = useNow(running, 200);
  const asks = view !== null && done && view.interrupts.length > 0;
  const stopped =
    view !== null && done && followed!.open && view.interrupts.length === 0 && (view.next ?? []).length > 0;
  const panes =
    view === null
      ? []
      : [
          {
            id: 'steps',
            name: 'Steps',
            count: view.steps.size,
            content: <StepsView steps={view.steps} nowMs={now} done={done} />,
          },
          ...(wide || chosenId === null
            ? []
            : [
                {
                  id: 'graph',
                  name: 'Graph',
                  content: <GraphView assistantId={chosenId} steps={view.steps} version={followed!.version} />,
                },
              ]),
          {
            id: 'state',
            name: 'State',
            content:
              values === undefined ? (
                <Empty title="The stream has not told a state yet." />
              ) : (
                <JsonTree label="State" value={values} openTo={2} rows={26} />
              ),
          },
          { id: 'custom', name: 'Custom', count: view.customs.length, content: <CustomView customs={view.customs} /> },
          {
            id: 'events',
            name: 'Events',
            count: view.received,
            content: <EventsView events={view.events} received={view.received} />,
          },
        ];
  const tab = panes.some(({ id }) => id === query.get('tab')) ? query.get('tab')! : 'steps';

  return (
    <Page
      title="Run"
      {...(assistant.data?.description ? { about: <span dir="auto">{assistant.data.description}</span> } : {})}
    >
      <div className={styles['choice']}>
        <AssistantField
          isRequired
          onlyChosen
          value={chosenId ?? ''}
          onChange={(id) => change({ assistant: id, run: null, thread: null })}
        />
        <ThreadPicker
          choice={threadId ?? (stateless || (runId !== null && threadId === null) ? 'none' : 'new')}
          onChange={(choice) => {
            setStateless(choice === 'none');
            said.current = new Map();
            change({ run: null, thread: choice === 'new' || choice === 'none' ? null : choice });
          }}
        />
      </div>
      {first.data?.length === 0 ? <Empty title="This server has no assistant." /> : null}
      {[first.error, assistant.error, schemas.error, before.error]
        .filter((error) => error !== null)
        .map((error) => (
          <ErrorNote
            key={messageFrom(error)}
            error={messageFrom(error)}
            onRetry={() => void queryClient.refetchQueries({ queryKey: ['run'], type: 'active' })}
          />
        ))}
      {followed === null ? null : <RunStatus followed={followed} threadId={threadId} runId={runId!} onRetry={retry} />}
      <div
        className={`${styles['room']} ${view === null ? styles['fresh'] : ''} ${wide && view !== null ? styles['wide'] : ''}`}
      >
        <div className={styles['talk']}>
          {conversation.size === 0 ? null : (
            <Panel title="Conversation" flush>
              <ConversationView conversation={conversation} version={followed?.version ?? 0} />
            </Panel>
          )}
          {conversation.size > 0 ||
          view === null ||
          values === undefined ||
          (asks && JSON.stringify(values) === '{}') ? null : (
            <Panel title={done ? 'Final state' : 'State'}>
              <JsonTree label="State of the graph" value={values} openTo={2} rows={16} />
            </Panel>
          )}
          {asks ? (
            followed!.open ? (
              <Panel
                key={runId}
                title={
                  view!.interrupts.length === 1
                    ? 'The graph asks'
                    : `The graph asks ${view!.interrupts.length} questions`
                }
              >
                <Questions
                  autoFocus
                  asked={view!.interrupts}
                  byId={view!.interrupts.length > 1}
                  onAnswer={(resume) => begin({ command: { resume } })}
                />
              </Panel>
            ) : (
              <Note>The graph asked here, and has been answered by a later run.</Note>
            )
          ) : null}
          {stopped ? (
            <Note look="warn">
              <span className="row">
                {view.error === null ? 'Stopped before' : 'The state is as it was before'} {view.next!.join(', ')}.{' '}
                <Button small look="primary" onPress={() => void again()}>
                  {view.error === null ? 'Go on' : 'Try again from there'}
                </Button>
              </span>
            </Note>
          ) : null}
          {failed === null ? null : <ErrorNote error={failed} />}
          {asks && followed!.open && another !== runId ? (
            <div>
              <Button small look="quiet" onPress={() => setAnother(runId)}>
                Start another run instead
              </Button>
            </div>
          ) : chosenId === null || schemas.data === undefined ? (
            schemas.isLoading || first.isLoading ? (
              <Loading what="Loading the assistant" />
            ) : null
          ) : (
            <RunInput
              key={`${chosenId} ${round}`}
              schema={inputSchema}
              value={input}
              onChange={(value) => setTyped({ ...typed, [chosenId]: { value } })}
              changed={changedFrom(options)}
              onOptions={() => setChoosing(true)}
              onStart={start}
              autoFocus={(runId === null || round > 0) && !isSearching()}
              chat={conversation.size > 0 && isChat(inputSchema)}
            />
          )}
        </div>
        {view === null ? (
          chosenId === null ? null : (
            <Panel title="Graph">
              <GraphView assistantId={chosenId} steps={null} version={0} height={380} />
            </Panel>
          )
        ) : (
          <>
            {wide && chosenId !== null ? (
              <Panel title="Graph">
                <GraphView assistantId={chosenId} steps={view.steps} version={followed!.version} height={640} />
              </Panel>
            ) : null}
            <div className={styles['panes']}>
              <Tabs label="What the run did" tabs={panes} value={tab} onChange={(tab) => changeQuery({ tab })} />
            </div>
          </>
        )}
      </div>
      <RunOptions
        options={options}
        onChange={setOptions}
        contextSchema={(schemas.data?.context_schema ?? null) as JsonSchema | null}
        configSchema={(schemas.data?.config_schema ?? null) as JsonSchema | null}
        isOpen={choosing}
        onClose={() => setChoosing(false)}
      />
    </Page>
  );
}

/** Somebody is choosing in a list by typing: the focus is not taken away from that. */
function isSearching(): boolean {
  return document.activeElement?.getAttribute('role') === 'combobox';
}
