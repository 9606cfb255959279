// A form that is handled by the screen and never loads a page.
import { useEffect, useRef, type ComponentProps } from 'react';
import { CLOSING_MODAL } from '../lib/shortcuts.ts';

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit' | 'ref'> {
  /** Why it was not taken, another object each time: the first field that is wrong gets the focus. */
  failure?: object | null;
  onSubmit: () => void;
}

export function Form({ failure = null, onSubmit, ...rest }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (failure !== null) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [failure]);
  return (
    <form
      {...rest}
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        // What was asked for is done: the same again while its dialog fades out would make a second one.
        if (event.currentTarget.closest(CLOSING_MODAL) === null) onSubmit();
      }}
    />
  );
}
