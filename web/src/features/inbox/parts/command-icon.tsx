// The icon of a command.
import { createElement } from 'react';
import type { Batch } from '../model/command-labels.ts';
import type { TaskCommand } from '../model/commands.ts';

interface CommandIconProps {
  command: TaskCommand;
  batch: Batch;
  size: number;
  className?: string;
}

export function CommandIcon({ command, batch, ...rest }: CommandIconProps) {
  return createElement(command.icon(batch), { ...rest, 'aria-hidden': true });
}
