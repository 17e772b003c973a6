import { useState } from 'react';
import { Button } from '../../../components/button.js';
import { DialogActions } from '../../../components/dialog.js';
import { TextField } from '../../../components/field.js';
import { idIn } from './load-traces.js';

/** Says why a text names no trace; null if it does. */
export function traceIdProblem(text: string): string | null {
  if (text.trim() === '') return 'Enter the id of a trace.';
  return idIn(text) === null ? 'This is no id of a trace. Copy it from the page of the trace.' : null;
}

/** Two fields for the ids or addresses of traces. */
export function TraceIdsForm({
  left: firstLeft,
  right: firstRight,
  onCompare,
}: {
  left: string;
  right: string;
  onCompare: (ids: { left: string; right: string }) => void;
}) {
  const [left, setLeft] = useState(firstLeft);
  const [right, setRight] = useState(firstRight);
  // An address with a wrong id says so at once.
  const [isChecked, setChecked] = useState(firstLeft !== '' || firstRight !== '');
  const isDone = traceIdProblem(left) === null && traceIdProblem(right) === null;
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        setChecked(true);
        if (isDone) onCompare({ left: idIn(left)!, right: idIn(right)! });
      }}
    >
      <TextField
        label="Left trace"
        help="The id or the address of a trace."
        value={left}
        onChange={setLeft}
        error={isChecked ? traceIdProblem(left) : null}
        validationBehavior="aria"
        mono
      />
      <TextField
        label="Right trace"
        help="The id or the address of a trace."
        value={right}
        onChange={setRight}
        error={isChecked ? traceIdProblem(right) : null}
        validationBehavior="aria"
        mono
      />
      <DialogActions>
        <Button variant="primary" type="submit">
          Compare
        </Button>
      </DialogActions>
    </form>
  );
}
