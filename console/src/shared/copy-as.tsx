import { Code2 } from 'lucide-react';
import { Button } from '../components/button.js';
import { copyToClipboard } from '../components/copy.js';
import { ButtonMenu } from '../components/menu.js';
import { showToast } from '../components/toast.js';
import { requestSnippets, type CopiedRequest, type Snippets } from './request-snippets.js';
import { snippetServer } from './snippet-server.js';

const LANGUAGES: readonly { id: keyof Snippets; name: string }[] = [
  { id: 'curl', name: 'curl' },
  { id: 'javascript', name: 'JavaScript' },
  { id: 'python', name: 'Python' },
];

/** A menu that copies what the page would send as code. Null: the page has nothing valid to send. */
export function CopyAs({ request }: { request: CopiedRequest | null }) {
  const copy = async (id: keyof Snippets, name: string): Promise<void> => {
    await copyToClipboard(requestSnippets(request!, snippetServer())[id]);
    showToast(`Copied as ${name}.`);
  };
  return (
    <ButtonMenu
      button={
        <Button isDisabled={request === null}>
          <Code2 size={15} aria-hidden />
          Copy as…
        </Button>
      }
      actions={LANGUAGES.map(({ id, name }) => ({ id, name, onAction: () => void copy(id, name) }))}
    />
  );
}
