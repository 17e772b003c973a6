import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { client } from '../../api/client.js';
import { errorMessage } from '../../api/http.js';
import { Button } from '../../components/button.js';
import { JsonTree } from '../../components/json-tree.js';
import { EmptyState, ErrorNote, Loading, Note } from '../../components/note.js';
import { Page, Panel } from '../../components/page.js';
import { evaluation } from '../../api/evaluation.js';
import { useQueryString, type QueryChanges } from '../../components/query-string.js';
import { Tabs } from '../../components/tabs.js';
import { AssistantField } from '../../shared/assistant-field.js';
import { CopyAs } from '../../shared/copy-as.js';
import { InterruptForm } from '../../shared/interrupt-form.js';
import { initialValue, type JsonSchema } from '../../schema/model.js';
import { copiedRun } from './copied-run.js';
import { mergeState, type Conversation } from './conversation.js';
import { ConversationView } from './conversation-view.js';
import { CustomView, EventsView } from './events-view.js';
import { hasEnded } from './follow-run.js';
import { GraphView } from './graph-view.js';
import { isChat, nextInput, inputToSend } from '../../schema/chat-input.js';
import { changedOptionCount, runPayload, DEFAULT_OPTIONS } from './options.js';
import { RunInput } from './run-input.js';
import { RunOptions } from './run-options.js';
import { RunStatus } from './run-status.js';
import { StepsView } from './steps-view.js';
import { ThreadPicker } from './thread-picker.js';
import { useNow, useRun } from './use-run.js';
import { useWidth } from './use-width.js';
import styles from './run-page.module.css';

/** From this window width on, the graph has its own column. */
const WIDE_PX = 1_800;
const NO_SCHEMA: JsonSchema = {};

/** Starts and shows runs. The URL contains everything that another person needs to see the same run. */
export function RunPage() {
  const [query, changeQuery] = useQueryString();
  const queryClient = useQueryClient();
  const requestedAssistantId = query.get('assistant');
  const threadId = query.get('thread');
  const runId = query.get('run');
  /** A run whose recorded input the form begins with. */
  const tracedId = query.get('again');
  const [stateless, setStateless] = useState(false);
  const [options, setOptions] = useState(DEFAULT_OPTIONS);
  const [optionsOpen, setOptionsOpen] = useState(false);
  const currentConversation = useRef<Conversation>(new Map());
  const { snapshot, retry } = useRun(threadId, runId, () => currentConversation.current);
  const wide = useWidth(WIDE_PX);

  // A link to a run does not have to contain its assistant.
  const assistantId = requestedAssistantId ?? snapshot?.run?.assistant_id ?? null;
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

  const traced = useQuery({
    queryKey: ['run', 'again', tracedId],
    queryFn: ({ signal }) => evaluation.run(tracedId!, signal),
    enabled: tracedId !== null,
    staleTime: Infinity,
  });

  const inputSchema = (schemas.data?.input_schema ?? NO_SCHEMA) as JsonSchema;
  // Input by assistant id; undefined if nothing was entered yet.
  const [typed, setTyped] = useState<Readonly<Record<string, { value: unknown }>>>({});
  const firstInput = traced.data?.inputs ?? initialValue(inputSchema, inputSchema, true);
  const input = typed[chosenId ?? ''] === undefined ? firstInput : typed[chosenId ?? '']!.value;
  const [inputVersion, setInputVersion] = useState(0);
  // Error of the last attempt to continue a stopped run.
  const [failed, setFailed] = useState<string | null>(null);
  // Interrupted run whose answer form is hidden in favor of another run.
  const [skippedRunId, setSkippedRunId] = useState<string | null>(null);

  // The back button returns to the previous run.
  const change = (changes: QueryChanges): void => changeQuery(changes, { push: true });

  const view = snapshot?.view ?? null;
  const conversation =
    view?.conversation ?? (before.data === undefined ? new Map() : mergeState(new Map(), before.data.values, 1));
  if (runId !== null || before.data !== undefined) currentConversation.current = conversation;
  const values = view === null ? before.data?.values : view.values;

  /** Creates the run and puts its id into the URL. */
  const begin = async (what: Record<string, unknown>): Promise<void> => {
    const target = chosenId!;
    const thread = threadId ?? (stateless ? null : (await client.threads.create()).thread_id);
    if (thread === null || thread !== threadId) currentConversation.current = new Map();
    const run = await client.runs.create(thread as string, target, { ...runPayload(options), ...what });
    await queryClient.cancelQueries({ queryKey: ['run', 'threads'] });
    void queryClient.invalidateQueries({ queryKey: ['run', 'threads'] });
    change({ assistant: target, thread, run: run.run_id, again: null });
  };
  const start = async (): Promise<void> => {
    await begin({ input: inputToSend(inputSchema, input) });
    // A chat continues with an empty message. Other input is often reused with small changes.
    if (isChat(inputSchema)) {
      setTyped({ ...typed, [chosenId!]: { value: nextInput(inputSchema, input) } });
      setInputVersion(inputVersion + 1);
    }
  };

  const again = async (): Promise<void> => {
    try {
      setFailed(null);
      await begin({ input: null });
    } catch (caught) {
      setFailed(errorMessage(caught));
    }
  };

  const done = snapshot !== null && hasEnded(snapshot.status);
  const running = snapshot !== null && !done && snapshot.connection.kind !== 'gone';
  const now = useNow(running, 200);
  const hasInterrupts = view !== null && done && view.interrupts.length > 0;
  const stopped =
    view !== null && done && snapshot!.canContinue && view.interrupts.length === 0 && (view.next ?? []).length > 0;
  const tabs =
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
                  content: <GraphView assistantId={chosenId} steps={view.steps} version={snapshot!.version} />,
                },
              ]),
          {
            id: 'state',
            name: 'State',
            content:
              values === undefined ? (
                <EmptyState title="No state yet">The stream has not sent a state yet.</EmptyState>
              ) : (
                <JsonTree label="State" value={values} openTo={2} rows={26} />
              ),
          },
          {
            id: 'custom',
            name: 'Custom',
            count: view.customEvents.length,
            content: <CustomView customs={view.customEvents} />,
          },
          {
            id: 'events',
            name: 'Events',
            count: view.received,
            content: <EventsView events={view.events} received={view.received} />,
          },
        ];
  const tab = tabs.some(({ id }) => id === query.get('tab')) ? query.get('tab')! : 'steps';

  return (
    <Page
      title="Run"
      actions={
        <CopyAs
          request={copiedRun(
            chosenId,
            threadId ?? (stateless || runId !== null ? null : 'new'),
            { schema: inputSchema, input, options, isTouched: typed[chosenId ?? ''] !== undefined },
            snapshot?.run ?? null,
          )}
        />
      }
      {...(assistant.data?.description ? { about: <span dir="auto">{assistant.data.description}</span> } : {})}
    >
      <div className={styles['choice']}>
        <AssistantField
          isRequired
          onlySelected
          value={chosenId ?? ''}
          onChange={(id) => change({ assistant: id, run: null, thread: null })}
        />
        <ThreadPicker
          choice={threadId ?? (stateless || (runId !== null && threadId === null) ? 'none' : 'new')}
          onChange={(choice) => {
            setStateless(choice === 'none');
            currentConversation.current = new Map();
            change({ run: null, thread: choice === 'new' || choice === 'none' ? null : choice });
          }}
        />
      </div>
      {first.data?.length === 0 ? (
        <EmptyState title="No assistants">Add a graph to langgraph.json, then restart the server.</EmptyState>
      ) : null}
      {[first.error, assistant.error, schemas.error, before.error]
        .filter((error) => error !== null)
        .map((error) => (
          <ErrorNote
            key={errorMessage(error)}
            error={errorMessage(error)}
            onRetry={() => void queryClient.refetchQueries({ queryKey: ['run'], type: 'active' })}
          />
        ))}
      {snapshot === null ? null : <RunStatus snapshot={snapshot} threadId={threadId} runId={runId!} onRetry={retry} />}
      <div
        className={`${styles['columns']} ${view === null ? styles['fresh'] : ''} ${wide && view !== null ? styles['wide'] : ''}`}
      >
        <div className={styles['conversationColumn']}>
          {conversation.size === 0 ? null : (
            <Panel title="Conversation" flush>
              <ConversationView conversation={conversation} version={snapshot?.version ?? 0} />
            </Panel>
          )}
          {conversation.size > 0 ||
          view === null ||
          values === undefined ||
          (hasInterrupts && JSON.stringify(values) === '{}') ? null : (
            <Panel title={done ? 'Final state' : 'State'}>
              <JsonTree label="Graph state" value={values} openTo={2} rows={16} />
            </Panel>
          )}
          {hasInterrupts ? (
            snapshot!.canContinue ? (
              <Panel
                key={runId}
                title={
                  view!.interrupts.length === 1
                    ? 'Waiting for input'
                    : `Waiting for input: ${view!.interrupts.length} questions`
                }
              >
                <InterruptForm
                  autoFocus
                  interrupts={view!.interrupts}
                  byId={view!.interrupts.length > 1}
                  onAnswer={(resume) => begin({ command: { resume } })}
                />
              </Panel>
            ) : (
              <Note>This run was interrupted. A later run has answered it.</Note>
            )
          ) : null}
          {stopped ? (
            <Note variant="warn">
              <span className="row">
                {view.error === null ? 'Stopped before' : 'The state is still the one before'} {view.next!.join(', ')}.{' '}
                <Button small variant="primary" onPress={() => void again()}>
                  {view.error === null ? 'Continue' : 'Retry from there'}
                </Button>
              </span>
            </Note>
          ) : null}
          {failed === null ? null : <ErrorNote error={failed} />}
          {hasInterrupts && snapshot!.canContinue && skippedRunId !== runId ? (
            <div>
              <Button small variant="quiet" onPress={() => setSkippedRunId(runId)}>
                Start another run instead
              </Button>
            </div>
          ) : chosenId === null || schemas.data === undefined || traced.isLoading ? (
            schemas.isLoading || first.isLoading || traced.isLoading ? (
              <Loading what="Loading the assistant" />
            ) : null
          ) : (
            <RunInput
              key={`${chosenId} ${inputVersion} ${tracedId}`}
              schema={inputSchema}
              value={input}
              onChange={(value) => setTyped({ ...typed, [chosenId]: { value } })}
              changed={changedOptionCount(options)}
              onOptions={() => setOptionsOpen(true)}
              onStart={start}
              autoFocus={(runId === null || inputVersion > 0) && !isSearching()}
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
                <GraphView assistantId={chosenId} steps={view.steps} version={snapshot!.version} height={640} />
              </Panel>
            ) : null}
            <div className={styles['tabs']}>
              <Tabs label="Run details" tabs={tabs} value={tab} onChange={(tab) => changeQuery({ tab })} />
            </div>
          </>
        )}
      </div>
      <RunOptions
        options={options}
        onChange={setOptions}
        contextSchema={(schemas.data?.context_schema ?? null) as JsonSchema | null}
        configSchema={(schemas.data?.config_schema ?? null) as JsonSchema | null}
        isOpen={optionsOpen}
        onClose={() => setOptionsOpen(false)}
      />
    </Page>
  );
}

/** Whether a combo box has the focus, which must not be taken away while the person types. */
function isSearching(): boolean {
  return document.activeElement?.getAttribute('role') === 'combobox';
}
