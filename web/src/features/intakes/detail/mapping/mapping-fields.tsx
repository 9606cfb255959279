// The templates of a mapping, one for each part of a task. What is wrong with one stands below it, with its line.
import type { IntakeMapping } from '#core/contract/index.ts';
import { Field, INPUT } from '../../../../ui/field.tsx';
import { faultAt, type Faults } from '../../form/faults.ts';

const TEMPLATES = [
  { name: 'content', label: 'Content', hint: 'The message.', rows: 3 },
  { name: 'priority', label: 'Priority', hint: 'Comes out as high, normal or low.', rows: 1 },
  { name: 'tags', label: 'Tags', hint: 'Separated by commas.', rows: 1 },
  { name: 'url', label: 'Link', hint: 'Where a click leads; http or https.', rows: 1 },
  {
    name: 'dedupeKey',
    label: 'Dedupe key',
    hint: 'What repeats of the same thing have in common: they are counted on one task.',
    rows: 1,
  },
  {
    name: 'filter',
    label: 'Filter',
    hint: 'When it comes out as nothing, false, no, 0 or ignore, the delivery is ignored.',
    rows: 1,
  },
  {
    name: 'resolved',
    label: 'Resolved',
    hint: 'When it comes out as true, yes or 1, the task with the dedupe key is acknowledged instead.',
    rows: 1,
  },
] as const;

export type TemplateName = (typeof TEMPLATES)[number]['name'];
export type Templates = Readonly<Record<TemplateName, string>>;

export const emptyTemplates: Templates = {
  content: '',
  priority: '',
  tags: '',
  url: '',
  dedupeKey: '',
  filter: '',
  resolved: '',
};

/** What is saved: the templates that are not blank; null while there is none for the content. */
export function toMapping(templates: Templates): IntakeMapping | null {
  if (templates.content.trim() === '') return null;
  const given = Object.entries(templates).filter(([, text]) => text.trim() !== '');
  return { content: templates.content, ...Object.fromEntries(given) };
}

interface MappingFieldsProps {
  templates: Templates;
  onChange: (templates: Templates) => void;
  faults: Faults | null;
  disabled: boolean;
  onFocus: (name: TemplateName, node: HTMLTextAreaElement) => void;
}

export function MappingFields({ templates, onChange, faults, disabled, onFocus }: MappingFieldsProps) {
  return TEMPLATES.map(({ name, label, hint, rows }) => (
    <Field key={name} label={label} hint={hint} error={faultAt(faults, `mapping/${name}`)}>
      {(control) => (
        <textarea
          {...control}
          rows={rows}
          value={templates[name]}
          disabled={disabled}
          maxLength={4000}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          placeholder={name === 'content' ? '{{ service }} is {{ status }}' : undefined}
          onFocus={(event) => onFocus(name, event.target)}
          onChange={(event) => onChange({ ...templates, [name]: event.target.value })}
          className={`${INPUT} field-sizing-content resize-y py-2 font-mono text-13 ${rows > 1 ? 'min-h-20' : 'min-h-10'}`}
        />
      )}
    </Field>
  ));
}
