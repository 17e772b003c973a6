import { Plus, X } from 'lucide-react';
import { useContext } from 'react';
import { prettyJson } from '../api/json.js';
import { Button, IconButton } from '../components/button.js';
import { Select, TextArea } from '../components/field.js';
import { JsonEditor } from '../components/json-editor.js';
import { readJson } from '../components/read-json.js';
import { AttachedFiles } from './attached-files.js';
import { withWrittenContent, writtenContent } from './content-files.js';
import { FormContext, useTextDraft } from './form-context.js';
import type { ValidationProblem } from './model.js';
import styles from './schema-form.module.css';

interface MessageInput {
  role?: string;
  type?: string;
  content: unknown;
}

const ROLES = ['user', 'assistant', 'system'];
/** LangChain message types and their roles. */
const ROLE_OF_TYPE: Readonly<Record<string, string>> = { human: 'user', ai: 'assistant' };

/** A list of chat messages. Other properties of a message are kept unchanged. */
export function MessagesField({
  path,
  label,
  help,
  error,
  value,
  onChange,
  autoFocus = false,
}: {
  path: ValidationProblem['path'];
  label: string;
  help: string | undefined;
  error: string | null;
  value: unknown;
  onChange: (value: unknown) => void;
  autoFocus?: boolean;
}) {
  const { messagePlaceholder } = useContext(FormContext);
  const list = (value ?? []) as readonly MessageInput[];
  const change = (at: number, next: MessageInput): void =>
    onChange(list.map((one, place) => (place === at ? next : one)));
  return (
    <div
      role="group"
      aria-label={label}
      className={styles['messages']}
      data-one-message={list.length === 1 ? '' : undefined}
    >
      {list.map((message, at) => {
        const typeName = message.role ?? message.type ?? 'user';
        const role = ROLE_OF_TYPE[typeName] ?? typeName;
        const name = list.length === 1 ? 'Message' : `Message ${at + 1}`;
        const written = writtenContent(message.content);
        return (
          <div key={at} className={styles['message']}>
            <div className={styles['messageHead']}>
              <Select
                label={`Role of ${name.toLowerCase()}`}
                hideLabel
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
            {written !== null && (typeof message.content === 'string' || written.files.length > 0) ? (
              <>
                <TextArea
                  hideLabel
                  label={name}
                  rows={list.length === 1 ? 3 : 2}
                  autoFocus={autoFocus && at === 0}
                  placeholder={list.length === 1 ? messagePlaceholder : ''}
                  value={written.text}
                  onChange={(text) => change(at, withWrittenContent(message, { ...written, text }))}
                />
                <AttachedFiles
                  files={written.files}
                  onChange={(files) => change(at, withWrittenContent(message, { ...written, files }))}
                />
              </>
            ) : (
              <ContentField
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
          variant="quiet"
          onPress={() =>
            onChange([...list, { role: list.at(-1)?.role === 'user' ? 'assistant' : 'user', content: '' }])
          }
        >
          <Plus size={14} aria-hidden />
          Add message
        </Button>
      </div>
    </div>
  );
}

/** Message content that is a list of blocks. */
function ContentField({
  name,
  path,
  content,
  onChange,
}: {
  name: string;
  path: ValidationProblem['path'];
  content: unknown;
  onChange: (content: unknown) => void;
}) {
  const typed = useTextDraft(path, content, prettyJson, readJson);
  return (
    <JsonEditor
      label={`Content of ${name.toLowerCase()} as JSON`}
      rows={6}
      text={typed.text}
      onChange={(text) => onChange(typed.type(text) ?? null)}
    />
  );
}
