import { Component, type ReactNode } from 'react';
import { ErrorNote } from '../kit/note.js';
import { Page } from '../kit/page.js';

/** A room that fails leaves the others usable. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return <Page title="This page has failed"><ErrorNote error={error} onRetry={() => this.setState({ error: null })} /></Page>;
  }
}
