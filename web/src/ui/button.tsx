// The one button of the product, in four weights.
import type { ComponentProps } from 'react';

export type ButtonKind = 'primary' | 'secondary' | 'quiet' | 'danger';

const BASE =
  'inline-flex h-9 touch:min-h-11 shrink-0 items-center justify-center gap-2 rounded-sm px-3.5 text-14 font-medium whitespace-nowrap transition-colors select-none disabled:opacity-55';

const KINDS: Record<ButtonKind, string> = {
  primary: 'bg-accent text-on-accent enabled:hover:bg-accent-strong',
  secondary:
    'border border-line-1 bg-surface-1 text-ink-1 shadow-1 enabled:hover:border-line-2 data-popup-open:border-line-2',
  quiet: 'text-ink-2 enabled:hover:bg-surface-2 enabled:hover:text-ink-1 data-popup-open:bg-surface-2',
  danger: 'border border-line-1 bg-surface-1 text-danger enabled:hover:border-danger',
};

/** Its looks, for links that stand where a button would. */
export function buttonClass(kind: ButtonKind = 'secondary', extra = ''): string {
  return `${BASE} ${KINDS[kind]} ${extra}`;
}

interface ButtonProps extends ComponentProps<'button'> {
  kind?: ButtonKind;
}

export function Button({ kind = 'secondary', className = '', type = 'button', ...rest }: ButtonProps) {
  return <button type={type} className={buttonClass(kind, className)} {...rest} />;
}
