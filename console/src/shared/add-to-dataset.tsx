import { DatabaseZap } from 'lucide-react';
import { useState } from 'react';
import type { Run } from '../api/evaluation.js';
import { Button } from '../components/button.js';
import { lazyPart } from '../components/lazy-component.js';

const AddToDatasetDialog = lazyPart(async () => (await import('./add-to-dataset-dialogs.js')).AddToDatasetDialog);
const AddRunsDialog = lazyPart(async () => (await import('./add-to-dataset-dialogs.js')).AddRunsDialog);

export type Source = Pick<Run, 'id' | 'inputs' | 'outputs'>;
/** Runs by their ids, or all runs of a thread. */
export type Selection = { runs: readonly string[] } | { threads: readonly string[] };

/** A button that makes an example of a run or of one of its steps. */
export function AddToDatasetButton({ run, small = false }: { run: Source; small?: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <OpenButton small={small} onPress={() => setOpen(true)} />
      {isOpen ? <AddToDatasetDialog run={run} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

/** A button that makes examples of several runs. */
export function AddRunsToDatasetButton({
  selection,
  small = false,
  onAdded,
}: {
  selection: Selection;
  small?: boolean;
  onAdded?: () => void;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <OpenButton small={small} onPress={() => setOpen(true)} />
      {isOpen ? (
        <AddRunsDialog
          selection={selection}
          onClose={() => setOpen(false)}
          onAdded={() => {
            setOpen(false);
            onAdded?.();
          }}
        />
      ) : null}
    </>
  );
}

function OpenButton({ small, onPress }: { small: boolean; onPress: () => void }) {
  return (
    <Button needs={['datasets:create', 'experiments:search']} small={small} onPress={onPress}>
      <DatabaseZap size={small ? 14 : 15} aria-hidden />
      Add to dataset
    </Button>
  );
}
