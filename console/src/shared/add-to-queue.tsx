import { ListPlus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../components/button.js';
import { lazyPart } from '../components/lazy-component.js';

const AddToQueueDialog = lazyPart(async () => (await import('./add-to-queue-dialog.js')).AddToQueueDialog);

/** A button that adds runs to an annotation queue. */
export function AddToQueueButton({ runIds, small = false }: { runIds: readonly string[]; small?: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button needs="experiments:update|reviews" small={small} onPress={() => setOpen(true)}>
        <ListPlus size={14} aria-hidden />
        Add to queue
      </Button>
      {isOpen ? <AddToQueueDialog runIds={runIds} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
