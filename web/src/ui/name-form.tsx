// A field for a name or an address with its button, for example of a new user.
import { useState, type ReactNode } from 'react';
import { Button, type ButtonKind } from './button.tsx';
import { TextField } from './field.tsx';
import { Form } from './form.tsx';

interface NameFormProps {
  label: string;
  placeholder?: string;
  type?: 'text' | 'email';
  maxLength?: number;
  busy: boolean;
  kind?: ButtonKind;
  /** Shown when Enter is pressed in the empty field. */
  required?: string;
  /** Resolves with whether it succeeded: then the field is emptied. */
  onSubmit: (name: string) => Promise<boolean>;
  /** Below the field. */
  more?: ReactNode;
  /** In the button. */
  children: ReactNode;
}

export function NameForm({
  busy,
  kind = 'secondary',
  required,
  maxLength = 100,
  more,
  onSubmit,
  children,
  ...rest
}: NameFormProps) {
  const [name, setName] = useState('');
  const [error, setError] = useState<string>();
  const trimmed = name.trim();

  async function submit() {
    if (busy) return;
    if (trimmed === '') setError(required);
    else if (await onSubmit(trimmed)) setName('');
  }

  return (
    <Form noValidate className="flex flex-col gap-3" onSubmit={() => void submit()}>
      <TextField
        {...rest}
        error={error}
        value={name}
        disabled={busy}
        maxLength={maxLength}
        onChange={(text) => {
          setName(text);
          setError(undefined);
        }}
        onKeyDown={(event) => {
          // A form whose button is disabled is not submitted by Enter.
          if (event.key === 'Enter' && trimmed === '') void submit();
        }}
        className="h-9 min-w-0 flex-1"
        after={
          <Button type="submit" kind={kind} disabled={busy || trimmed === ''}>
            {children}
          </Button>
        }
      />
      {more}
    </Form>
  );
}
