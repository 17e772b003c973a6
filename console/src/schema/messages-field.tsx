import { Plus, X } from 'lucide-react';
import { prettyJson } from '../api/json.js';
import { Button, IconButton } from '../components/button.js';
import { Select, TextArea } from '../components/field.js';
import { JsonEditor, readJson } from '../components/json-editor.js';
import { useTyped } from './form-context.js';
import type { Problem } from './model.js';
import styles from './schema-form.module.css';

interface Written {
  role?: string;
  type?: string;
  content: unknown;
}

const ROLES = ['user', 'assistant', 'system'];
/** LangChain's own names of the same. */
const TYPES: Readonly<Record<string, string>> = { human: 'user', ai: 'assistant' };

/** A list of chat messages. What a message has besides its text is kept as it is. */
export function MessagesField({
  path,
  label,
  help,
  error,
  value,
  onChange,
  autoFocus = false,
}: {
  path: Problem['path'];
  label: string;
  help: string | undefined;
  error: string | null;
  value: unknown;
  onChange: (value: unknown) => void;
  autoFocus?: boolean;
}) {
  const list = (value ?? []) as readonly Written[];
  const change = (at: number, next: Written): void => onChange(list.map((one, place) => (place === at ? next : one)));
  return (
    <div
      role="group"
      aria-label={label}
      className={styles['messages']}
      data-one-message={list.length === 1 ? '' : undefined}
    >
      {list.map((message, at) => {
        const called = message.role ?? message.type ?? 'user';
        const role = TYPES[called] ?? called;
        const name = list.length === 1 ? 'Message' : `Message ${at + 1}`;
        return (
          <div key={at} className={styles['message']}>
            <div className={styles['messageHead']}>
              <Select
                label={`Role of ${name.toLowerCase()}`}
                quiet
                options={[...new Set([...ROLES, role])].map((id) => ({ id, name: id }))}
                value={role}
                onChange={(next) => {
                  const { type: _type, ...rest } = message;
                  change(at, { ...rest, role: next });
                }}
              />
              {list.length === 1 ? null : (
                <IconButton
                  small
                  label={`Remove ${name.toLowerCase()}`}
                  onPress={() => onChange(list.filter((_, place) => place !== at))}
                >
                  <X size={14} aria-hidden />
                </IconButton>
              )}
            </div>
            {typeof message.content === 'string' ? (
              <TextArea
                quiet
                label={name}
                rows={list.length === 1 ? 3 : 2}
                autoFocus={autoFocus && at === 0}
                placeholder={list.length === 1 ? 'Write a message. Enter starts, Shift and Enter makes a new line' : ''}
                value={message.content}
                onChange={(content) => change(at, { ...message, content })}
              />
            ) : (
              <ContentOf
                name={name}
                path={[...path, at, 'content']}
                content={message.content}
                onChange={(content) => change(at, { ...message, content })}
              />
            )}
          </div>
        );
      })}
      {help === undefined || help === 'A list of chat messages' ? null : (
        <p className={styles['help']} dir="auto">
          {help}
        </p>
      )}
      {error === null ? null : <p className={styles['error']}>{error}</p>}
      <div>
        <Button
          small
          look="quiet"
          onPress={() =>
            onChange([...list, { role: list.at(-1)?.role === 'user' ? 'assistant' : 'user', content: '' }])
          }
        >
          <Plus size={14} aria-hidden />
          Add a message
        </Button>
      </div>
    </div>
  );
}

/** Content of blocks. */
function ContentOf({
  name,
  path,
  content,
  onChange,
}: {
  name: string;
  path: Problem['path'];
  content: unknown;
  onChange: (content: unknown) => void;
}) {
  const typed = useTyped(path, content, prettyJson, readJson);
  return (
    <JsonEditor
      label={`Content of ${name.toLowerCase()}, as JSON`}
      rows={6}
      text={typed.text}
      onChange={(text) => onChange(typed.type(text) ?? null)}
    />
  );
}
