import type { ReactNode } from 'react';
import { Checkbox, Select, TextField } from '../../components/field.js';
import { Dialog, DialogActions } from '../../components/dialog.js';
import { Button } from '../../components/button.js';
import { JsonEditor } from '../../components/json-editor.js';
import { SchemaForm } from '../../schema/schema-form.js';
import type { JsonSchema } from '../../schema/model.js';
import { STREAM_MODES, DEFAULT_OPTIONS, type StreamMode, type RunOptionValues } from './options.js';
import styles from './run-page.module.css';

const MODE_TEXTS: Readonly<Record<StreamMode, string>> = {
  'messages-tuple': 'tokens as they stream',
  messages: 'whole messages at each token',
  updates: 'writes of each node',
  custom: 'custom data from nodes',
  debug: 'steps with times, and states',
  values: 'the state after each step',
  tasks: 'steps without times',
  checkpoints: 'checkpoints',
  tools: 'progress of tools',
  events: 'all LangChain events',
};

const STRATEGIES = [
  { id: 'enqueue', name: 'Enqueue: wait for it' },
  { id: 'reject', name: 'Reject the new run' },
  { id: 'interrupt', name: 'Interrupt it, keep its changes' },
  { id: 'rollback', name: 'Interrupt it and roll back' },
];
const DURABILITIES = [
  { id: 'async', name: 'Async: while the next step runs' },
  { id: 'sync', name: 'Sync: before the next step' },
  { id: 'exit', name: 'Exit: only at the end' },
];

/** Options that most runs leave at their defaults. `thread`: the field that selects the thread. */
export function RunOptions({
  thread,
  options,
  onChange,
  contextSchema,
  configSchema,
  isOpen,
  onClose,
}: {
  thread: ReactNode;
  options: RunOptionValues;
  onChange: (options: RunOptionValues) => void;
  contextSchema: JsonSchema | null;
  configSchema: JsonSchema | null;
  isOpen: boolean;
  onClose: () => void;
}) {
  const change = (part: Partial<RunOptionValues>): void => onChange({ ...options, ...part });
  return (
    <Dialog title="Run options" size="sheet" isOpen={isOpen} onClose={onClose}>
      {thread}
      <fieldset className={styles['modes']}>
        <legend>Stream modes</legend>
        {STREAM_MODES.map((mode) => (
          <Checkbox
            key={mode}
            value={options.modes.includes(mode)}
            onChange={(on) =>
              change({ modes: STREAM_MODES.filter((one) => (one === mode ? on : options.modes.includes(one))) })
            }
          >
            <code>{mode}</code> <span className="soft">{MODE_TEXTS[mode]}</span>
          </Checkbox>
        ))}
      </fieldset>
      {contextSchema === null ? null : (
        <section aria-label="Context" className="stack">
          <h3>Context</h3>
          <SchemaForm
            label="Context"
            schema={contextSchema}
            value={options.context}
            onChange={(context) => change({ context })}
          />
        </section>
      )}
      <JsonEditor
        label="Configuration"
        text={options.config}
        onChange={(config) => change({ config })}
        rows={4}
        help={
          configSchema === null
            ? 'JSON, for example {"configurable": {"model": "small"}, "recursion_limit": 50}. Overrides the assistant.'
            : `JSON. Keys of "configurable": ${Object.keys(configSchema.properties ?? {}).join(', ') || 'any'}. Overrides the assistant.`
        }
      />
      <TextField
        label="Interrupt before nodes"
        value={options.interruptBefore}
        onChange={(interruptBefore) => change({ interruptBefore })}
        help="Node names separated by commas, or * for all"
      />
      <TextField
        label="Interrupt after nodes"
        value={options.interruptAfter}
        onChange={(interruptAfter) => change({ interruptAfter })}
        help="Node names separated by commas, or * for all"
      />
      <Select
        label="If the thread has an active run"
        options={STRATEGIES}
        value={options.multitask}
        onChange={(multitask) => change({ multitask: multitask as RunOptionValues['multitask'] })}
      />
      <Select
        label="Durability of checkpoints"
        options={DURABILITIES}
        value={options.durability}
        onChange={(durability) => change({ durability: durability as RunOptionValues['durability'] })}
      />
      <DialogActions>
        <Button onPress={() => onChange(DEFAULT_OPTIONS)}>Reset to defaults</Button>
        <Button variant="primary" onPress={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}
