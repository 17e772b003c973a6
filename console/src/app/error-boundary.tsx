import { Component, type ReactNode } from 'react';
import { ErrorNote } from '../components/note.js';
import { Page } from '../components/page.js';
import { askResponse, messageFrom } from '../api/http.js';
import { say } from '../components/toast.js';
import { PartMissing } from './part-missing.js';

/** A room that fails leaves the others usable. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <Page title="This page has failed">
        <ErrorNote
          error={error}
          onRetry={() => {
            if (error instanceof PartMissing) void loadAnew();
            else this.setState({ error: null });
          }}
        />
      </Page>
    );
  }
}

/** Not while there is no server: the browser would put a page of its own in the place of this one. */
async function loadAnew(): Promise<void> {
  try {
    await askResponse('ok');
    location.reload();
  } catch (error) {
    say(messageFrom(error));
  }
}
