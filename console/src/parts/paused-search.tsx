import { useEffect, useState } from 'react';
import { SearchField } from '../kit/field.js';

const PAUSE_MS = 300;

/** A search that asks when the person pauses. */
export function PausedSearch({ label, text, onText }: { label: string; text: string; onText: (text: string) => void }) {
  const [written, setWritten] = useState(text);
  // What stands in the link has changed by other means.
  const [known, setKnown] = useState(text);
  if (known !== text) {
    setKnown(text);
    setWritten(text);
  }
  useEffect(() => {
    if (written === text) return undefined;
    const timer = setTimeout(() => onText(written), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [written, text, onText]);
  return <SearchField label={label} value={written} onChange={setWritten} onSubmit={onText} />;
}
