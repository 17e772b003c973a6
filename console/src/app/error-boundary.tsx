import { Component, type ReactNode } from 'react';
import { ErrorNote } from '../components/note.js';
import { Page } from '../components/page.js';
import { fetchResponse, errorMessage } from '../api/http.js';
import { showToast } from '../components/toast.js';
import { ChunkLoadError } from '../components/chunk-load-error.js';

/** An error in one section leaves the others usable. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <Page title="This page failed">
        <ErrorNote
          error={error}
          onRetry={() => {
            if (error instanceof ChunkLoadError) void reloadPage();
            else this.setState({ error: null });
          }}
        />
      </Page>
    );
  }
}

/** Reloads only if the server responds. Otherwise the browser would replace this page by its own error page. */
async function reloadPage(): Promise<void> {
  try {
    await fetchResponse('ok');
    location.reload();
  } catch (error) {
    showToast(errorMessage(error));
  }
}
