// A secret: hidden once the server has it, readable when it was generated here for the sender.
import { Dices, Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../../ui/button.tsx';
import { CopyButton } from '../../../../ui/copyable.tsx';
import { Field, INPUT } from '../../../../ui/field.tsx';
import { IconButton } from '../../../../ui/hints.tsx';
import { randomSecret, type FormField } from '../../model/schema-form.ts';

interface SecretFieldProps {
  field: FormField;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
  disabled: boolean;
  /** The server has one already; it is never shown again. */
  stored: boolean;
  /** The stored one will be removed. */
  removed: boolean;
  onRemove: (remove: boolean) => void;
}

export function SecretField({
  field,
  value,
  onChange,
  error,
  disabled,
  stored,
  removed,
  onRemove,
}: SecretFieldProps) {
  const [generated, setGenerated] = useState(stored ? '' : value);
  const [seen, setSeen] = useState(false);
  const isGenerated = value !== '' && value === generated;
  const readable = isGenerated || seen;
  const label = field.required ? field.title : `${field.title} (optional)`;
  const hint = isGenerated
    ? 'Made up for you. Give it to the sender; or, if the sender gives you one, put that here, now or later.'
    : stored && value !== ''
      ? 'The one before stays good for a day. If it has leaked, use “New secret…” above instead.'
      : field.description;

  return (
    <Field label={label} error={error} hint={hint}>
      {(control) => (
        <div className="flex flex-wrap items-center gap-2">
          <div className="relative min-w-0 flex-1 basis-56">
            <input
              {...control}
              type={readable ? 'text' : 'password'}
              value={value}
              disabled={disabled || removed}
              required={field.required && !stored}
              maxLength={field.maxLength ?? undefined}
              autoComplete="new-password"
              autoCapitalize="off"
              spellCheck={false}
              placeholder={removed ? 'Will be removed' : stored ? 'Kept; type to replace' : ''}
              onChange={(event) => onChange(event.target.value)}
              className={`${INPUT} h-10 pr-11 font-mono text-13`}
            />
            <span className="absolute inset-y-0 right-1 flex items-center">
              {isGenerated ? (
                <CopyButton text={value} label={`Copy ${field.title.toLowerCase()}`} />
              ) : value === '' ? null : (
                <IconButton
                  small
                  label={seen ? `Hide ${field.title.toLowerCase()}` : `Show ${field.title.toLowerCase()}`}
                  onClick={() => setSeen(!seen)}
                >
                  {seen ? <EyeOff size={16} aria-hidden /> : <Eye size={16} aria-hidden />}
                </IconButton>
              )}
            </span>
          </div>
          {field.required ? (
            <Button
              disabled={disabled}
              onClick={() => {
                const secret = randomSecret();
                setGenerated(secret);
                onChange(secret);
              }}
            >
              <Dices size={16} aria-hidden />
              {isGenerated ? 'Another' : 'Make one up'}
            </Button>
          ) : stored ? (
            <Button kind="quiet" disabled={disabled} onClick={() => onRemove(!removed)}>
              {removed ? 'Keep it' : 'Remove'}
            </Button>
          ) : null}
        </div>
      )}
    </Field>
  );
}
