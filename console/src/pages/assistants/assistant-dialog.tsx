import type { Assistant, Config, Metadata } from '@langchain/langgraph-sdk';
import { useState } from 'react';
import { client } from '../../api/client.js';
import { errorAt, errorsIn, fieldErrors } from '../../api/http.js';
import { useAsyncAction } from '../../components/async-action.js';
import { Button } from '../../components/button.js';
import { Dialog, DialogActions } from '../../components/dialog.js';
import { Select, TextArea, TextField } from '../../components/field.js';
import { ErrorNote, Loading } from '../../components/note.js';
import { showToast } from '../../components/toast.js';
import { CopyAs } from '../../shared/copy-as.js';
import { isEmptyValue } from '../../shared/empty-value.js';
import { useFormChecks } from '../../schema/form-checks.js';
import { FormProblems } from '../../schema/form-problems.js';
import type { JsonSchema } from '../../schema/model.js';
import { SchemaForm } from '../../schema/schema-form.js';
import { useConfigSchema, useSchemas } from '../../shared/assistant-schemas.js';
import { createRequest, updateRequest } from './assistant-requests.js';
import { reloadAssistants, useGraphs } from './data.js';

const NO_SCHEMA: JsonSchema = {};
/** The values that have a form, and their headings. */
const FORMS = { config: 'Configuration', context: 'Context', metadata: 'Metadata' } as const;
type FormName = keyof typeof FORMS;

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
  const [before] = useState<Readonly<Record<FormName, unknown>>>(() => ({
    config: valueOf(assistant?.config),
    context: valueOf(assistant?.context),
    metadata: valueOf(assistant?.metadata),
  }));
  const [values, setValues] = useState(before);
  const { error, isPending, execute, clearError } = useAsyncAction();
  const schemas = useSchemas(graph);
  const wholeConfig = useConfigSchema(schemas.data?.config_schema);
  const checks = useFormChecks(
    (Object.keys(FORMS) as FormName[]).filter((form) => isEmptyValue(values[form])).map((form) => FORMS[form]),
  );
  const errors = fieldErrors(error);
  const options = [...new Set([...(graphs.data ?? []), ...(assistant === null ? [] : [assistant.graph_id])])].map(
    (id) => ({ id, name: id }),
  );

  const isChanged = (form: FormName): boolean => JSON.stringify(valueOf(values[form])) !== JSON.stringify(before[form]);
  const config = (values.config ?? {}) as Config;
  const metadata = (values.metadata ?? {}) as Metadata;
  const context = values.context ?? {};
  const newAssistant = (graphId: string) => ({
    graphId,
    ...(name === '' ? {} : { name }),
    ...(about === '' ? {} : { description: about }),
    config,
    context,
    metadata,
  });
  /** Only changed fields. The others keep their values. */
  const changesOf = (edited: Assistant, graphId: string) => ({
    ...(graphId === edited.graph_id ? {} : { graphId }),
    ...(name === edited.name ? {} : { name }),
    ...(about === (edited.description ?? '') ? {} : { description: about }),
    ...(isChanged('config') ? { config } : {}),
    ...(isChanged('context') ? { context } : {}),
    ...(isChanged('metadata') ? { metadata } : {}),
  });
  const copied =
    graph === null
      ? null
      : assistant === null
        ? createRequest(newAssistant(graph))
        : updateRequest(assistant.assistant_id, changesOf(assistant, graph));

  const save = async (): Promise<void> => {
    if (graph === null || !checks.attempt()) return;
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

  const formOf = (form: FormName, schema: unknown, help?: string) => (
    <SchemaForm
      // Another graph has other fields.
      key={`${form} ${graph}`}
      label={FORMS[form]}
      heading={FORMS[form]}
      schema={(schema as JsonSchema | null | undefined) ?? NO_SCHEMA}
      value={values[form]}
      onChange={(value) => {
        clearError();
        setValues((all) => ({ ...all, [form]: value }));
      }}
      onState={checks.onState(FORMS[form])}
      strict={checks.strict && !isEmptyValue(values[form])}
      serverErrors={errorsIn(errors, form)}
      {...(help === undefined ? {} : { help })}
    />
  );

  const confirm = assistant === null ? 'Create' : 'Save';
  return (
    <Dialog
      title={assistant === null ? 'New assistant' : 'Edit assistant (creates a new version)'}
      isOpen
      size="medium"
      onClose={onClose}
    >
      <form
        noValidate
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Select
          label="Graph"
          options={options}
          value={graph}
          onChange={setGraph}
          error={graphs.error === null ? errorAt(errors, 'graph_id') : graphs.error.message}
          help={graph === null ? 'The graph says what can be configured.' : undefined}
        />
        <TextField
          label="Name"
          value={name}
          onChange={(text) => {
            clearError();
            setName(text);
          }}
          error={errorAt(errors, 'name')}
          placeholder="Untitled"
          autoFocus={assistant !== null}
        />
        <TextArea
          label="Description"
          rows={2}
          value={about}
          onChange={setAbout}
          error={errorAt(errors, 'description')}
        />
        {schemas.error === null ? null : <ErrorNote error={schemas.error} onRetry={() => void schemas.refetch()} />}
        {schemas.isLoading ? <Loading /> : null}
        {graph === null || schemas.isLoading ? null : (
          <>
            {formOf('context', schemas.data?.context_schema, 'What the nodes of its runs read. A run can override it.')}
            {formOf('config', wholeConfig, 'Defaults of its runs. A run can override them.')}
          </>
        )}
        {formOf(
          'metadata',
          null,
          assistant === null ? undefined : 'Merged into the current metadata. Omitted keys keep their values.',
        )}
        <FormProblems checks={checks} what={confirm} />
        {error === null ? null : <ErrorNote error={error} />}
        <DialogActions>
          <CopyAs request={copied} />
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={isPending} isDisabled={graph === null}>
            {confirm}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** An empty object is the same as nothing. */
function valueOf(value: unknown): unknown {
  return isEmptyValue(value) ? undefined : value;
}
