// What is typed into the search, as filters of the API: words, and the web app's tokens.

const TOKEN = /(?<=^|\s)(?:#|(tag|source|intake|priority):)(?:"([^"]*)"|([^\s"]+))(?=\s|$)/giu;
const PRIORITIES = ['high', 'normal', 'low'];

/** The parameters of the list. What is no token is looked for as text. */
export function filtersOf(typed: string): [name: string, value: string][] {
  const filters: [string, string][] = [];
  const text = typed.replace(TOKEN, (whole, name: string | undefined, quoted?: string, bare?: string) => {
    const value = (quoted ?? bare ?? '').trim();
    const kind = (name ?? 'tag').toLowerCase();
    const filter = kind === 'priority' ? priorityNamed(value) : value;
    if (filter === undefined || filter === '') return whole;
    filters.push([kind, filter]);
    return '';
  });
  const words = text.replaceAll(/\s+/g, ' ').trim();
  return words === '' ? filters : [...filters, ['q', words]];
}

/** As in the web app, a beginning is enough. */
function priorityNamed(value: string): string | undefined {
  return PRIORITIES.find((priority) => priority.startsWith(value.toLowerCase()));
}
