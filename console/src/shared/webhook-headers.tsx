import { Plus, X } from 'lucide-react';
import { Button, IconButton } from '../components/button.js';
import { TextField } from '../components/field.js';
import { isIncomplete, type WebhookHeader } from './alert-draft.js';
import styles from './alert-dialog.module.css';

/** What the server accepts. */
const HEADERS_MAX = 20;

/** Headers of a webhook. `kept`: names of those that the server has. It does not show their values. */
export function WebhookHeaders({
  headers,
  kept,
  onChange,
}: {
  headers: readonly WebhookHeader[] | null;
  kept: readonly string[];
  onChange: (headers: readonly WebhookHeader[]) => void;
}) {
  if (headers === null && kept.length > 0)
    return (
      <div className="row">
        <span>Sent with these headers: {kept.join(', ')}.</span>
        <Button small onPress={() => onChange(kept.map((name) => ({ name, value: '' })))}>
          Replace headers
        </Button>
      </div>
    );
  const rows = headers ?? [];
  const put = (at: number, changes: Partial<WebhookHeader>): void =>
    onChange(rows.map((row, index) => (index === at ? { ...row, ...changes } : row)));
  return (
    <div className="stack" role="group" aria-label="Headers of the webhook">
      {rows.map(({ name, value }, at) => (
        <div key={at} className={styles['header']}>
          <TextField
            label={at === 0 ? 'Header' : `Header ${at + 1}`}
            hideLabel={at > 0}
            placeholder="authorization"
            mono
            autoComplete="off"
            spellCheck="false"
            value={name}
            onChange={(next) => put(at, { name: next })}
          />
          <TextField
            label={at === 0 ? 'Value' : `Value ${at + 1}`}
            hideLabel={at > 0}
            mono
            autoComplete="off"
            spellCheck="false"
            value={value}
            onChange={(next) => put(at, { value: next })}
          />
          <IconButton
            label={`Remove header ${name || at + 1}`}
            onPress={() => onChange(rows.filter((_, index) => index !== at))}
          >
            <X size={15} aria-hidden />
          </IconButton>
        </div>
      ))}
      {rows.some(isIncomplete) ? (
        <p className="soft">Each header needs a name and a value. The values are not shown again.</p>
      ) : null}
      {rows.length >= HEADERS_MAX ? null : (
        <div>
          <Button small onPress={() => onChange([...rows, { name: '', value: '' }])}>
            <Plus size={14} aria-hidden />
            Add header
          </Button>
        </div>
      )}
    </div>
  );
}
