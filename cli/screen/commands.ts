// The keys of the inbox in the terminal: those of the web app wherever it has the same command, under the
// same name (test/gates/keys.test.ts compares them).

export type ScreenCommandId =
  | 'acknowledge'
  | 'pin'
  | 'open'
  | 'snooze'
  | 'tags'
  | 'select'
  | 'clear-selection'
  | 'select-all'
  | 'invert-selection'
  | 'add-item'
  | 'search'
  | 'undo'
  | 'refresh'
  | 'high-priority-only'
  | 'normal-priority-only'
  | 'low-priority-only'
  | 'all-priorities'
  | 'keyboard-shortcuts'
  | 'open-link'
  | 'next'
  | 'previous'
  | 'extend-next'
  | 'extend-previous'
  | 'first'
  | 'last'
  | 'page-down'
  | 'page-up'
  | 'redraw'
  | 'suspend'
  | 'quit';

interface ScreenCommand {
  id: ScreenCommandId;
  /** As printed; the first one is shown. */
  keys: readonly string[];
  text: string;
  group: 'Move' | 'Act' | 'Select' | 'Screen';
}

function command(
  group: ScreenCommand['group'],
  id: ScreenCommandId,
  keys: string,
  text: string,
): ScreenCommand {
  return { id, keys: keys.split(' '), text, group };
}

export const SCREEN_COMMANDS: readonly ScreenCommand[] = [
  command('Move', 'next', 'j Down', 'Next item'),
  command('Move', 'previous', 'k Up', 'Previous item'),
  command('Move', 'first', 'g Home', 'First item'),
  command('Move', 'last', 'G End', 'Last item'),
  command('Move', 'page-down', 'PageDown Space', 'A page on, also in an open item'),
  command('Move', 'page-up', 'PageUp b', 'A page back'),
  command('Move', 'search', '/', 'Search: words, #tag, source:, intake:'),
  command('Move', 'high-priority-only', '1', 'High priority only'),
  command('Move', 'normal-priority-only', '2', 'Normal priority only'),
  command('Move', 'low-priority-only', '3', 'Low priority only'),
  command('Move', 'all-priorities', '0', 'All priorities'),
  command('Act', 'acknowledge', 'e', 'Acknowledge'),
  command('Act', 'pin', 'p', 'Pin or unpin'),
  command('Act', 'open', 'Enter i', 'Open'),
  command('Act', 'open-link', 'o', 'Open its first link in the browser'),
  command('Act', 'snooze', 'h', 'Snooze'),
  command('Act', 'tags', 't', 'Tags'),
  command('Act', 'add-item', 'c', 'Add an item: #tag !high ~2h'),
  command('Act', 'undo', 'z', 'Undo'),
  command('Act', 'refresh', '.', 'Refresh'),
  command('Select', 'select', 'x', 'Select or deselect'),
  command('Select', 'extend-next', 'J', 'Select on the way down'),
  command('Select', 'extend-previous', 'K', 'Select on the way up'),
  command('Select', 'select-all', 'a', 'Select all'),
  command('Select', 'invert-selection', 'I', 'Invert selection'),
  command('Select', 'clear-selection', 'Esc', 'Close, clear selection, filters'),
  command('Screen', 'keyboard-shortcuts', '?', 'These keys'),
  command('Screen', 'redraw', 'Ctrl-L', 'Draw again'),
  command('Screen', 'suspend', 'Ctrl-Z', 'Back to the shell, until fg'),
  command('Screen', 'quit', 'q Ctrl-C', 'Quit'),
];

const BY_KEY = new Map(SCREEN_COMMANDS.flatMap(({ id, keys }) => keys.map((key) => [key, id] as const)));

/** What a key does in the list; undefined for one that does nothing. */
export function commandOf(key: string): ScreenCommandId | undefined {
  return BY_KEY.get(key);
}
