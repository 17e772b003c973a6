import { Check, Copy as CopyIcon } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from './button.js';
import { shortId } from './format.js';

/** Takes text to the clipboard. Where the page may not (no https), the text is chosen in a field for the person to copy. */
export function CopyButton({
  text,
  label = 'Copy',
  named = false,
}: {
  text: string | (() => string);
  label?: string;
  named?: boolean;
}) {
  const [done, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    await toClipboard(typeof text === 'string' ? text : text());
    setDone(true);
    setTimeout(() => setDone(false), 1_500);
  };
  const icon = done ? <Check size={14} aria-hidden /> : <CopyIcon size={14} aria-hidden />;
  const says = done ? 'Copied' : label;
  return named ? (
    <Button small onPress={() => void copy()}>
      {icon}
      {says}
    </Button>
  ) : (
    <IconButton small label={says} onPress={() => void copy()}>
      {icon}
    </IconButton>
  );
}

async function toClipboard(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) {
    await navigator.clipboard.writeText(text);
    return;
  }
  // Only a page over https or on the own machine has a clipboard.
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}

/** An id: its end is enough to tell it, all of it is copied. */
export function Id({ id }: { id: string }) {
  return (
    <span className="id">
      <code title={id}>{shortId(id)}</code>
      <CopyButton text={id} label="Copy the id" />
    </span>
  );
}
