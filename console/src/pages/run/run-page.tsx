import { useQuery, useQueryClient } from '@tanstack/react-query';
import { MessageSquarePlus, SlidersHorizontal } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { client } from '../../api/client.js';
import { errorMessage } from '../../api/http.js';
import { Button } from '../../components/button.js';
import { JsonTree } from '../../components/json-tree.js';
import { RUN, useDenial } from '../../components/needs.js';
import { DenialNote, EmptyState, ErrorNote, Loading } from '../../components/note.js';
import { Page, Panel } from '../../components/page.js';
import { evaluation } from '../../api/evaluation.js';
import { useQueryString, type QueryChanges } from '../../components/query-string.js';
import { AssistantField } from '../../shared/assistant-field.js';
import { CopyAs } from '../../shared/copy-as.js';
import { FileArea } from '../../shared/file-area.js';
import { useAttach } from '../../shared/use-attach.js';
import { isChat, inputToSend } from '../../schema/chat-input.js';
import type { JsonSchema } from '../../schema/model.js';
import { Composer } from './composer.js';
import { ContinueRun, isWaitingForInput } from './continue-run.js';
import { messagesToSend } from './composer-input.js';
import { copiedRun } from './copied-run.js';
import { mergeState, type Conversation } from './conversation.js';
import { ConversationView } from './conversation-view.js';
import { hasEnded } from './run-order.js';
import { GraphView } from './graph-view.js';
import { changedOptionCount, DEFAULT_OPTIONS } from './options.js';
import { RunDetails } from './run-details.js';
import { RunInput } from './run-input.js';
import { RunOptions } from './run-options.js';
import { RunStatus } from './run-status.js';
import { ThreadPicker } from './thread-picker.js';
import { useMessageActions } from './use-message-actions.js';
import { useRun } from './use-run.js';
import { useRunAssistant } from './use-run-assistant.js';
import { useRunInput } from './use-run-input.js';
import { isRunActive, useRunStarter, type RunSeed } from './use-run-starter.js';
import { useWidth } from './use-width.js';
import { SendingMessages, WaitingMessages } from './waiting-messages.js';
import styles from './run-page.module.css';

/** From this window width on, a chat fills the window beside the details of its run. */
const TWO_COLUMNS_PX = 1_061;
/** From this window width on, the graph is beside the conversation. Below, it is a tab. */
const GRAPH_BESIDE_PX = 1_280;
/** From this window width on, the graph has its own column. */
const THREE_COLUMNS_PX = 1_800;
const GRAPH_HEIGHT_PX = 340;
const GRAPH_COLUMN_HEIGHT_PX = 640;
const NO_SCHEMA: JsonSchema = {};
const NO_FILES: readonly unknown[] = [];

/** Starts and shows runs. The URL contains everything that another person needs to see the same run. */
export function RunPage() {
  const [query, changeQuery] = useQueryString();
  const queryClient = useQueryClient();
  const threadId = query.get('thread');
  const runId = query.get('run');
  /** A run whose recorded input the form begins with. */
  const tracedId = query.get('again');
  const [isStateless, setStateless] = useState(false);
  const [options, setOptions] = useState(DEFAULT_OPTIONS);
  const [optionsOpen, setOptionsOpen] = useState(false);
  const [hasAllFields, setAllFields] = useState(false);
  // Changes when the form of the input begins anew.
  const [inputVersion, setInputVersion] = useState(0);
  const [sendError, setSendError] = useState<unknown>(null);
  // Interrupted run whose answer form is hidden in favor of another run.
  const [skippedRunId, setSkippedRunId] = useState<string | null>(null);
  const shown = useRef<Conversation>(new Map());
  const seed = useRef<RunSeed | null>(null);
  const { snapshot, retry } = useRun(threadId, runId, () =>
    seed.current?.runId === runId ? seed.current.conversation : shown.current,
  );
  const hasTwoColumns = useWidth(TWO_COLUMNS_PX);
  const isGraphBeside = useWidth(GRAPH_BESIDE_PX);
  const hasThreeColumns = useWidth(THREE_COLUMNS_PX);

  // A link to a run does not have to contain its assistant.
  const { assistantId, assistant, schemas, isLoading, isMissing, errors } = useRunAssistant(
    query.get('assistant') ?? snapshot?.run?.assistant_id ?? null,
    runId,
  );
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
  const inputSchema = schemas?.input ?? NO_SCHEMA;
  const input = useRunInput(assistantId, inputSchema, traced.data?.inputs);
  const attach = useAttach(input.content?.files ?? NO_FILES, input.addFiles);

  // The back button returns to the previous run.
  const change = (changes: QueryChanges): void => changeQuery(changes, { push: true });

  const view = snapshot?.view ?? null;
  const conversation: Conversation =
    view?.conversation ?? (before.data === undefined ? new Map() : mergeState(new Map(), before.data.values, 1));
  if (runId !== null || before.data !== undefined) shown.current = conversation;
  const values = view === null ? before.data?.values : view.values;
  const done = snapshot !== null && hasEnded(snapshot.status);
  const isActive = isRunActive(snapshot);
  const isAsked = isWaitingForInput(snapshot) && skippedRunId !== runId;
  const hasChat = schemas === undefined ? conversation.size > 0 : isChat(inputSchema);
  const starter = useRunStarter({
    assistantId,
    threadId,
    runId,
    isStateless,
    hasChat,
    options,
    snapshot,
    shown,
    seed,
    change,
  });

  const start = async (): Promise<void> => {
    const sent = inputToSend(inputSchema, input.value);
    if (!isChat(inputSchema)) return starter.begin({ input: sent });
    await starter.send({ input: sent }, messagesToSend(inputSchema, sent));
    // A chat continues with an empty message. Other input is often reused with small changes.
    input.clearMessage();
    setInputVersion(inputVersion + 1);
    return undefined;
  };
  const sendFromComposer = async (): Promise<void> => {
    const sent = inputToSend(inputSchema, input.value);
    const { content } = input;
    input.clearMessage();
    attach.clearError();
    setSendError(null);
    try {
      await starter.send({ input: sent }, messagesToSend(inputSchema, sent));
    } catch (error) {
      setSendError(error);
      if (content !== null) input.restoreContent(content);
    }
  };
  // Forks of a thread whose run executes would wait for it, and then begin with another state than the page shows.
  const denial = useDenial(RUN);
  const canFork = denial === null && threadId !== null && assistantId !== null && schemas !== undefined && !isActive;
  const runFrom = (checkpointId: string): Promise<void> => starter.begin({ input: null, checkpointId });
  const messageActions = useMessageActions(canFork ? { threadId, conversation, values, begin: starter.begin } : null, {
    inputSchema,
    input: input.value,
  });
  const leaveThread = (changes: QueryChanges): void => {
    shown.current = new Map();
    change({ run: null, thread: null, ...changes });
  };

  const messages = (empty: ReactNode): ReactNode => (
    <ConversationView
      conversation={conversation}
      openCallState={isActive ? 'running' : isWaitingForInput(snapshot) ? 'waiting' : 'unanswered'}
      sentCount={starter.sentCount}
      actions={messageActions}
      empty={empty}
      tail={
        starter.waiting.length + starter.sending.length === 0 ? null : (
          <>
            {threadId === null ? null : (
              <WaitingMessages threadId={threadId} runs={starter.waiting} onCanceled={starter.onCanceled} />
            )}
            <SendingMessages messages={starter.sending} />
          </>
        )
      }
    />
  );
  const questions =
    snapshot === null ? null : (
      <ContinueRun
        snapshot={snapshot}
        onContinue={(work) => starter.begin(work)}
        onOtherRun={isAsked && denial === null ? () => setSkippedRunId(runId) : null}
      />
    );
  const isInputLoading = assistantId === null || schemas === undefined || traced.isLoading;
  const loading = isLoading || traced.isLoading ? <Loading what="Loading the assistant" /> : null;
  const autoFocus = (runId === null || inputVersion > 0) && !isSearching();
  const form = (
    <RunInput
      key={`${assistantId} ${inputVersion} ${tracedId}`}
      schema={inputSchema}
      value={input.value}
      onChange={input.setValue}
      onStart={start}
      onOnlyMessage={input.content === null ? null : () => setAllFields(false)}
      autoFocus={autoFocus}
    />
  );
  const notice = denial === null || isAsked ? null : <DenialNote what="start runs" denial={denial} />;
  const graph = (height: number): ReactNode =>
    assistantId === null ? null : (
      <Panel title="Graph">
        <GraphView
          assistantId={assistantId}
          steps={view?.steps ?? null}
          version={snapshot?.version ?? 0}
          height={height}
        />
      </Panel>
    );
  const hasGraphColumn = hasThreeColumns && view !== null;
  const side = (
    <>
      {hasGraphColumn ? <div className={styles['side']}>{graph(GRAPH_COLUMN_HEIGHT_PX)}</div> : null}
      <div className={styles['side']}>
        {hasGraphColumn || (view !== null && !isGraphBeside) ? null : graph(GRAPH_HEIGHT_PX)}
        {snapshot === null ? null : (
          <div className={styles['tabs']}>
            <RunDetails
              snapshot={snapshot}
              done={done}
              graphOf={isGraphBeside ? null : assistantId}
              onRunFrom={canFork ? runFrom : null}
            />
          </div>
        )}
      </div>
    </>
  );

  return (
    <Page
      title="Run"
      tall={hasChat && hasTwoColumns}
      {...(assistant?.description ? { about: <span dir="auto">{assistant.description}</span> } : {})}
      actions={
        <>
          <CopyAs
            request={copiedRun(
              assistantId,
              threadId ?? (isStateless || runId !== null ? null : 'new'),
              { schema: inputSchema, input: input.value, options, isTouched: input.isTouched },
              snapshot?.run ?? null,
            )}
          />
          <div className={styles['assistant']}>
            <AssistantField
              isRequired
              hideLabel
              onlySelected
              value={assistantId ?? ''}
              onChange={(id) => change({ assistant: id, run: null, thread: null })}
            />
          </div>
          {denial !== null || (threadId === null && runId === null) ? null : (
            <Button
              onPress={() => {
                setStateless(false);
                leaveThread({});
              }}
            >
              <MessageSquarePlus size={15} aria-hidden />
              New thread
            </Button>
          )}
          <Button needs={RUN} onPress={() => setOptionsOpen(true)}>
            <SlidersHorizontal size={15} aria-hidden />
            Options{changedOptionCount(options) === 0 ? '' : ` (${changedOptionCount(options)} changed)`}
          </Button>
        </>
      }
    >
      {isMissing ? (
        <EmptyState title="No assistants">Add a graph to langgraph.json, then restart the server.</EmptyState>
      ) : null}
      {[...errors, ...(before.error === null ? [] : [before.error])].map((error) => (
        <ErrorNote
          key={errorMessage(error)}
          error={errorMessage(error)}
          onRetry={() => void queryClient.refetchQueries({ queryKey: ['run'], type: 'active' })}
        />
      ))}
      {snapshot === null ? null : <RunStatus snapshot={snapshot} threadId={threadId} runId={runId!} onRetry={retry} />}
      {hasChat ? (
        <div className={`${styles['chat']} ${hasGraphColumn ? styles['three'] : ''}`}>
          <FileArea
            className={styles['chatColumn']!}
            label="Chat"
            onFiles={isAsked || isInputLoading || input.content === null ? null : attach.add}
          >
            {messages(
              <EmptyState title="No messages yet">
                {assistant === undefined || denial !== null
                  ? null
                  : `Write the first message to ${assistant.name} below.`}
              </EmptyState>,
            )}
            {questions}
            {notice === null ? null : <div className={styles['allFields']}>{notice}</div>}
            {isAsked || denial !== null ? null : isInputLoading ? (
              loading
            ) : input.content !== null && !hasAllFields ? (
              <Composer
                key={assistantId}
                content={input.content}
                attach={attach}
                onChange={input.setText}
                onFilesChange={(files) => {
                  attach.clearError();
                  input.setFiles(files);
                }}
                onSend={() => void sendFromComposer()}
                onAllFields={() => setAllFields(true)}
                error={sendError}
                hint={
                  isActive && threadId !== null && options.multitask === 'enqueue'
                    ? 'Waits until this run has ended'
                    : isStateless && threadId === null
                      ? 'Runs without a thread'
                      : 'Enter sends, Shift+Enter adds a line'
                }
                autoFocus={autoFocus}
              />
            ) : (
              <div className={`stack ${styles['allFields']}`}>
                {attach.error === null ? null : <ErrorNote error={attach.error} />}
                {form}
              </div>
            )}
          </FileArea>
          {side}
        </div>
      ) : (
        <div
          className={`${styles['columns']} ${view === null ? styles['fresh'] : ''} ${hasGraphColumn ? styles['wide'] : ''}`}
        >
          <div className={styles['conversationColumn']}>
            {conversation.size === 0 ? null : (
              <Panel title="Conversation" flush>
                <div className={styles['bounded']}>{messages(null)}</div>
              </Panel>
            )}
            {conversation.size > 0 ||
            view === null ||
            values === undefined ||
            (done && view.interrupts.length > 0 && JSON.stringify(values) === '{}') ? null : (
              <Panel title={done && view.interrupts.length === 0 ? 'Final state' : 'State'}>
                <JsonTree label="Graph state" value={values} openTo={2} rows={16} />
              </Panel>
            )}
            {questions}
            {notice}
            {isAsked || denial !== null ? null : isInputLoading ? loading : <Panel title="Input">{form}</Panel>}
          </div>
          {side}
        </div>
      )}
      <RunOptions
        thread={
          <ThreadPicker
            choice={threadId ?? (isStateless || (runId !== null && threadId === null) ? 'none' : 'new')}
            onChange={(choice) => {
              setStateless(choice === 'none');
              leaveThread({ thread: choice === 'new' || choice === 'none' ? null : choice });
            }}
          />
        }
        options={options}
        onChange={setOptions}
        contextSchema={schemas?.context ?? null}
        configSchema={schemas?.config ?? null}
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
