import { Check, Copy as CopyIcon } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from './button.js';
import { shortId } from './format.js';

/** Copies text to the clipboard. */
export function CopyButton({
  text,
  label = 'Copy',
  named = false,
  autoFocus = false,
}: {
  text: string | (() => string);
  label?: string;
  named?: boolean;
  /** Only with `named`. */
  autoFocus?: boolean;
}) {
  const [isCopied, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    await copyToClipboard(typeof text === 'string' ? text : text());
    setDone(true);
    setTimeout(() => setDone(false), 1_500);
  };
  const icon = isCopied ? <Check size={14} aria-hidden /> : <CopyIcon size={14} aria-hidden />;
  const buttonText = isCopied ? 'Copied' : label;
  return named ? (
    <Button small autoFocus={autoFocus} onPress={() => void copy()}>
      {icon}
      {buttonText}
    </Button>
  ) : (
    <IconButton small label={buttonText} onPress={() => void copy()}>
      {icon}
    </IconButton>
  );
}

export async function copyToClipboard(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) {
    await navigator.clipboard.writeText(text);
    return;
  }
  // Without https or localhost there is no clipboard API: copy from a temporary field.
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}

/** Shows the end of an id, which identifies it, and copies the whole id. */
export function CopyableId({ id }: { id: string }) {
  return (
    <span className="id">
      <code title={id}>{shortId(id)}</code>
      <CopyButton text={id} label="Copy ID" />
    </span>
  );
}
