import { useQueryClient } from '@tanstack/react-query';
import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Dataset } from '../../api/evaluation.js';
import { experimentJobs, type EvaluatorRequest } from '../../api/experiment-jobs.js';
import { CONSOLE_PATH } from '../../api/session.js';
import { useAsyncAction } from '../../components/async-action.js';
import { Button } from '../../components/button.js';
import { Dialog, DialogActions } from '../../components/dialog.js';
import { TextField } from '../../components/field.js';
import { NumberField } from '../../components/number-field.js';
import { pluralize } from '../../components/format.js';
import { ErrorNote } from '../../components/note.js';
import { AssistantField } from '../../shared/assistant-field.js';
import { EvaluatorFields, type ChosenEvaluators } from './evaluator-fields.js';

const REPETITIONS_MAX = 1_000;

/** A button that lets the server run an assistant over the dataset. */
export function RunExperimentButton({ dataset }: { dataset: Dataset }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        needs={['experiments:create', 'datasets:read', 'threads:create_run', 'assistants:read']}
        variant="primary"
        onPress={() => setOpen(true)}
        isDisabled={dataset.example_count === 0}
      >
        <FlaskConical size={15} aria-hidden />
        Run experiment
      </Button>
      {isOpen ? <RunExperimentDialog dataset={dataset} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function RunExperimentDialog({ dataset, onClose }: { dataset: Dataset; onClose: () => void }) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [assistant, setAssistant] = useState('');
  const [name, setName] = useState('');
  const [repetitions, setRepetitions] = useState<number | null>(1);
  const [chosen, setChosen] = useState<ChosenEvaluators>({});
  const { error, isPending, execute } = useAsyncAction();
  const isReady = assistant !== '' && repetitions !== null;
  const runs = dataset.example_count * (repetitions ?? 1);
  const start = (): Promise<void> =>
    execute(async () => {
      const { experiment_id: id } = await experimentJobs.start({
        dataset: dataset.id,
        assistant_id: assistant,
        name: name.trim() === '' ? null : name.trim(),
        evaluators: Object.values(chosen).map(withoutEmpty),
        repetitions: repetitions ?? 1,
      });
      await client.invalidateQueries({ queryKey: ['datasets'] });
      navigate(`~${CONSOLE_PATH}/experiments/${id}`);
    });
  return (
    <Dialog title="Run an experiment" isOpen size="medium" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) void start();
        }}
      >
        <AssistantField value={assistant} onChange={setAssistant} isRequired onlySelected />
        <TextField
          label="Name"
          placeholder="Name of the assistant and a few characters"
          value={name}
          onChange={setName}
        />
        <EvaluatorFields chosen={chosen} onChange={setChosen} />
        <NumberField
          label="Repetitions"
          help={`${pluralize(runs, 'run')}: ${pluralize(dataset.example_count, 'example')}, ${repetitions ?? 1} × each.`}
          min={1}
          max={REPETITIONS_MAX}
          value={repetitions}
          onChange={setRepetitions}
        />
        {error === null ? null : <ErrorNote error={error} />}
        <DialogActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={isPending} isDisabled={!isReady}>
            Run
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** Empty fields mean the whole value. */
function withoutEmpty(request: EvaluatorRequest): EvaluatorRequest {
  return Object.fromEntries(Object.entries(request).filter(([, value]) => value !== '')) as unknown as EvaluatorRequest;
}
