import { Checkbox, Select, TextField } from '../../components/field.js';
import { Dialog, DialogActions } from '../../components/dialog.js';
import { Button } from '../../components/button.js';
import { JsonEditor } from '../../components/json-editor.js';
import { SchemaForm } from '../../schema/schema-form.js';
import type { JsonSchema } from '../../schema/model.js';
import { MODES, USUAL, type Mode, type Options } from './options.js';
import styles from './run-room.module.css';

const SAYS: Readonly<Record<Mode, string>> = {
  'messages-tuple': 'tokens as they are written',
  messages: 'messages, whole at each token',
  updates: 'what each node wrote',
  custom: 'what nodes say of their own',
  debug: 'steps with times, and states',
  values: 'the state after each step',
  tasks: 'steps without times',
  checkpoints: 'checkpoints',
  tools: 'how far tools are',
  events: 'every event of LangChain',
};

const STRATEGIES = [
  { id: 'enqueue', name: 'Wait for it' },
  { id: 'reject', name: 'Be refused' },
  { id: 'interrupt', name: 'Stop it, keep what it did' },
  { id: 'rollback', name: 'Stop it, undo what it did' },
];
const DURABILITIES = [
  { id: 'async', name: 'While the next step runs' },
  { id: 'sync', name: 'Before the next step' },
  { id: 'exit', name: 'At the end only' },
];

/** What most runs leave as it is. */
export function RunOptions({
  options,
  onChange,
  contextSchema,
  configSchema,
  isOpen,
  onClose,
}: {
  options: Options;
  onChange: (options: Options) => void;
  contextSchema: JsonSchema | null;
  configSchema: JsonSchema | null;
  isOpen: boolean;
  onClose: () => void;
}) {
  const change = (part: Partial<Options>): void => onChange({ ...options, ...part });
  return (
    <Dialog title="Options of the run" size="sheet" isOpen={isOpen} onClose={onClose}>
      <fieldset className={styles['modes']}>
        <legend>What the run streams</legend>
        {MODES.map((mode) => (
          <Checkbox
            key={mode}
            value={options.modes.includes(mode)}
            onChange={(on) =>
              change({ modes: MODES.filter((one) => (one === mode ? on : options.modes.includes(one))) })
            }
          >
            <code>{mode}</code> <span className="soft">{SAYS[mode]}</span>
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
            ? 'JSON, such as {"configurable": {"model": "small"}, "recursion_limit": 50}. Laid over the assistant\'s.'
            : `JSON. "configurable" may have: ${Object.keys(configSchema.properties ?? {}).join(', ') || 'anything'}. Laid over the assistant's.`
        }
      />
      <TextField
        label="Stop before these nodes"
        value={options.interruptBefore}
        onChange={(interruptBefore) => change({ interruptBefore })}
        help="Names with commas between them, or * for all"
      />
      <TextField
        label="Stop after these nodes"
        value={options.interruptAfter}
        onChange={(interruptAfter) => change({ interruptAfter })}
        help="Names with commas between them, or * for all"
      />
      <Select
        label="When the thread has a run already"
        options={STRATEGIES}
        value={options.multitask}
        onChange={(multitask) => change({ multitask: multitask as Options['multitask'] })}
      />
      <Select
        label="Checkpoints are stored"
        options={DURABILITIES}
        value={options.durability}
        onChange={(durability) => change({ durability: durability as Options['durability'] })}
      />
      <DialogActions>
        <Button onPress={() => onChange(USUAL)}>As usual</Button>
        <Button look="primary" onPress={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}
