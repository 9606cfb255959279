// A screen that fails says so and offers a way on; it never goes blank.
import { Component, type ReactNode } from 'react';
import { Button } from '../ui/button.tsx';

interface State {
  failed: boolean;
}

export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { failed: false };

  static getDerivedStateFromError(): State {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <main className="mx-auto flex max-w-md flex-1 flex-col items-center justify-center gap-3 px-6 py-24 text-center">
        <h1 className="text-20 font-semibold">This screen stopped working</h1>
        <p className="text-14 text-ink-2">Nothing in your queue was changed. Load the page again to go on.</p>
        <Button kind="primary" onClick={() => location.reload()}>
          Load again
        </Button>
      </main>
    );
  }
}
