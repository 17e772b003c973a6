import type { Assistant, Config, Metadata } from '@langchain/langgraph-sdk';
import { useState } from 'react';
import { client } from '../../api/client.js';
import { prettyJson } from '../../api/json.js';
import { useAsyncAction } from '../../components/async-action.js';
import { Button } from '../../components/button.js';
import { Dialog, DialogActions } from '../../components/dialog.js';
import { Select, TextArea, TextField } from '../../components/field.js';
import { JsonEditor, readJson } from '../../components/json-editor.js';
import { JsonTree } from '../../components/json-tree.js';
import { ErrorNote, Note } from '../../components/note.js';
import { showToast } from '../../components/toast.js';
import { CopyAs } from '../../shared/copy-as.js';
import { createRequest, updateRequest } from './assistant-requests.js';
import { reloadAssistants, useGraphs, useSchemas } from './data.js';
import styles from './assistants.module.css';

/** Creates an assistant, or a new version of one. */
export function AssistantDialog({
  assistant,
  onClose,
  onDone,
}: {
  assistant: Assistant | null;
  onClose: () => void;
  onDone: (assistant: Assistant) => void;
}) {
  const graphs = useGraphs();
  const [graph, setGraph] = useState(assistant?.graph_id ?? null);
  const [name, setName] = useState(assistant?.name ?? '');
  const [about, setAbout] = useState(assistant?.description ?? '');
  const before = {
    config: jsonText(assistant?.config),
    context: jsonText(assistant?.context),
    metadata: jsonText(assistant?.metadata),
  };
  const [config, setConfig] = useState(before.config);
  const [context, setContext] = useState(before.context);
  const [metadata, setMetadata] = useState(before.metadata);
  const { error, isPending, execute } = useAsyncAction();
  const schemas = useSchemas(graph);
  const wrong = [config, context, metadata].some((text) => readJson(text).error !== null);
  const options = [...new Set([...(graphs.data ?? []), ...(assistant === null ? [] : [assistant.graph_id])])].map(
    (id) => ({ id, name: id }),
  );

  const newAssistant = (graphId: string) => ({
    graphId,
    ...(name === '' ? {} : { name }),
    ...(about === '' ? {} : { description: about }),
    config: parseValue(config) as Config,
    context: parseValue(context),
    metadata: parseValue(metadata) as Metadata,
  });
  /** Only changed fields. The others keep their values. */
  const changesOf = (edited: Assistant, graphId: string) => ({
    ...(graphId === edited.graph_id ? {} : { graphId }),
    ...(name === edited.name ? {} : { name }),
    ...(about === (edited.description ?? '') ? {} : { description: about }),
    ...(config === before.config ? {} : { config: parseValue(config) as Config }),
    ...(context === before.context ? {} : { context: parseValue(context) }),
    ...(metadata === before.metadata ? {} : { metadata: parseValue(metadata) as Metadata }),
  });
  const copied =
    graph === null || wrong
      ? null
      : assistant === null
        ? createRequest(newAssistant(graph))
        : updateRequest(assistant.assistant_id, changesOf(assistant, graph));

  const save = async (): Promise<void> => {
    if (graph === null) return;
    await execute(async () => {
      const done =
        assistant === null
          ? await client.assistants.create(newAssistant(graph))
          : await client.assistants.update(assistant.assistant_id, changesOf(assistant, graph));
      await reloadAssistants();
      showToast(assistant === null ? 'Assistant created.' : `Version ${done.version} created.`);
      onClose();
      onDone(done);
    });
  };

  return (
    <Dialog
      title={assistant === null ? 'New assistant' : 'Edit assistant (creates a new version)'}
      isOpen
      size="wide"
      onClose={onClose}
    >
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <div className={styles['beside']}>
          <div className="stack">
            <Select
              label="Graph"
              options={options}
              value={graph}
              onChange={setGraph}
              error={graphs.error === null ? null : graphs.error.message}
            />
            <TextField
              label="Name"
              value={name}
              onChange={setName}
              placeholder="Untitled"
              autoFocus={assistant !== null}
            />
            <TextArea label="Description" rows={2} value={about} onChange={setAbout} />
            <JsonEditor
              label="Configuration (config)"
              rows={6}
              text={config}
              onChange={setConfig}
              help="Defaults of its runs: recursion_limit, tags, configurable. A run can override them."
            />
            <JsonEditor label="Context" rows={5} text={context} onChange={setContext} />
            <JsonEditor
              label="Metadata"
              rows={4}
              text={metadata}
              onChange={setMetadata}
              {...(assistant === null
                ? {}
                : { help: 'Merged into the current metadata. Omitted keys keep their values.' })}
            />
          </div>
          <div className="stack">
            <h3>Schemas of the graph</h3>
            {graph === null ? <Note>Select a graph to see the schemas of its configuration and context.</Note> : null}
            {schemas.error === null ? null : <ErrorNote error={schemas.error} onRetry={() => void schemas.refetch()} />}
            {schemas.data === undefined ? null : (
              <>
                <SchemaView name="Configuration (configurable)" schema={schemas.data.config_schema} />
                <SchemaView name="Context" schema={schemas.data.context_schema} />
              </>
            )}
          </div>
        </div>
        {error === null ? null : <ErrorNote error={error} />}
        <DialogActions>
          <CopyAs request={copied} />
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={isPending} isDisabled={graph === null || wrong}>
            {assistant === null ? 'Create' : 'Save'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function SchemaView({ name, schema }: { name: string; schema: unknown }) {
  if (schema === undefined || schema === null)
    return <p className="soft">{name}: the graph has no schema. Any value is accepted.</p>;
  return (
    <div className="stack">
      <p>{name}</p>
      <JsonTree label={`Schema: ${name}`} value={schema} openTo={3} />
    </div>
  );
}

function jsonText(value: unknown): string {
  return value === undefined || value === null || Object.keys(value).length === 0 ? '' : prettyJson(value);
}

/** An emptied field clears the value, so it is sent as an empty object. */
function parseValue(text: string): unknown {
  return readJson(text).value ?? {};
}
