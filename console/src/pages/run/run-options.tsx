import { useState, type ReactNode } from 'react';
import { Checkbox, Select, TextField } from '../../components/field.js';
import { Dialog, DialogActions } from '../../components/dialog.js';
import { Button } from '../../components/button.js';
import { useFormChecks } from '../../schema/form-checks.js';
import { FormProblems } from '../../schema/form-problems.js';
import { SchemaForm } from '../../schema/schema-form.js';
import { useConfigSchema } from '../../shared/assistant-schemas.js';
import { isEmptyValue } from '../../shared/empty-value.js';
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

interface RunOptionsProps {
  /** The field that selects the thread. */
  thread: ReactNode;
  options: RunOptionValues;
  onChange: (options: RunOptionValues) => void;
  contextSchema: JsonSchema | null;
  configSchema: JsonSchema | null;
  isOpen: boolean;
  onClose: () => void;
}

/** Options that most runs leave at their defaults. */
export function RunOptions({ isOpen, onClose, ...rest }: RunOptionsProps) {
  return (
    <Dialog title="Run options" size="sheet" isOpen={isOpen} onClose={onClose}>
      <Fields {...rest} onClose={onClose} />
    </Dialog>
  );
}

function Fields({ thread, options, onChange, contextSchema, configSchema, onClose }: Omit<RunOptionsProps, 'isOpen'>) {
  const wholeConfig = useConfigSchema(configSchema);
  // A reset also discards what the forms have as text.
  const [version, setVersion] = useState(0);
  const forms = { Context: options.context, Configuration: options.config };
  const empty = (Object.keys(forms) as (keyof typeof forms)[]).filter((name) => isEmptyValue(forms[name]));
  const checks = useFormChecks(empty);
  const change = (part: Partial<RunOptionValues>): void => onChange({ ...options, ...part });
  return (
    <>
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
        <SchemaForm
          key={`context ${version}`}
          label="Context"
          heading="Context"
          help="What the nodes read. Overrides the assistant."
          schema={contextSchema}
          value={options.context}
          onChange={(context) => change({ context })}
          onState={checks.onState('Context')}
          strict={checks.strict && !empty.includes('Context')}
        />
      )}
      <SchemaForm
        key={`config ${version}`}
        label="Configuration"
        heading="Configuration"
        help="Overrides the assistant."
        schema={wholeConfig}
        value={options.config}
        onChange={(config) => change({ config })}
        onState={checks.onState('Configuration')}
        strict={checks.strict && !empty.includes('Configuration')}
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
      <FormProblems checks={checks} what="Done" />
      <DialogActions>
        <Button
          onPress={() => {
            onChange(DEFAULT_OPTIONS);
            setVersion(version + 1);
          }}
        >
          Reset to defaults
        </Button>
        <Button
          variant="primary"
          onPress={() => {
            if (checks.attempt()) onClose();
          }}
        >
          Done
        </Button>
      </DialogActions>
    </>
  );
}
