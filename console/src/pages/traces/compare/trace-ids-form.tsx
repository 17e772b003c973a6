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
      <TraceIdField label="Left trace" value={left} onChange={setLeft} isChecked={isChecked} />
      <TraceIdField label="Right trace" value={right} onChange={setRight} isChecked={isChecked} />
      <DialogActions>
        <Button variant="primary" type="submit">
          Compare
        </Button>
      </DialogActions>
    </form>
  );
}

function TraceIdField({
  label,
  value,
  onChange,
  isChecked,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** True if the field shows the error of its value. */
  isChecked: boolean;
}) {
  return (
    <TextField
      label={label}
      help="The id or the address of a trace."
      value={value}
      onChange={onChange}
      error={isChecked ? traceIdProblem(value) : null}
      validationBehavior="aria"
      mono
    />
  );
}
