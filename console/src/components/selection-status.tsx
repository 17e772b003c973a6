import { useRef } from 'react';
import { Button } from './button.js';

/** Says how much is selected, with a button that clears the selection. */
export function SelectionStatus({ text, count, onClear }: { text: string; count: number; onClear: () => void }) {
  const status = useRef<HTMLSpanElement>(null);
  return (
    <>
      <span role="status" tabIndex={-1} ref={status}>
        {text}
      </span>
      {count === 0 ? null : (
        <Button
          small
          variant="quiet"
          onPress={() => {
            onClear();
            // The button disappears. Without this the focus would be lost.
            status.current?.focus();
          }}
        >
          Clear selection
        </Button>
      )}
    </>
  );
}
