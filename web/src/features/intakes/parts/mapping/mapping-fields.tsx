// The templates of a mapping, one for each part of a task, each with its error.
import type { IntakeMapping } from '#core/contract/index.ts';
import { MAX_TEMPLATE_CHARACTERS } from '#core/contract/limits.ts';
import { Field, INPUT } from '../../../../ui/field.tsx';
import { Fold } from '../fold.tsx';
import { errorAt, type FieldErrors } from '../../model/field-errors.ts';

const USUAL = [
  { name: 'content', label: 'Content', hint: 'The message.' },
  { name: 'priority', label: 'Priority', hint: 'Comes out as high, normal or low.' },
  { name: 'tags', label: 'Tags', hint: 'Separated by commas.' },
  { name: 'url', label: 'Link', hint: 'Where a click leads; http or https.' },
] as const;

const RARE = [
  {
    name: 'dedupeKey',
    label: 'Dedupe key',
    hint: 'What repeats of the same thing have in common: they are counted on one task.',
  },
  {
    name: 'filter',
    label: 'Filter',
    hint: 'When it comes out as nothing, false, no, 0 or ignore, the delivery is ignored.',
  },
  {
    name: 'resolved',
    label: 'Resolved',
    hint: 'When it comes out as true, yes or 1, the task with the dedupe key is acknowledged instead.',
  },
] as const;

type Template = (typeof USUAL)[number] | (typeof RARE)[number];
export type TemplateName = Template['name'];
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

/** The templates that are not blank; null while the content has none. */
export function toMapping(templates: Templates): IntakeMapping | null {
  if (templates.content.trim() === '') return null;
  const given = Object.entries(templates).filter(([, text]) => text.trim() !== '');
  return { content: templates.content, ...Object.fromEntries(given) };
}

interface MappingFieldsProps {
  templates: Templates;
  onChange: (templates: Templates) => void;
  errors: FieldErrors | null;
  disabled: boolean;
  onFocus: (name: TemplateName, node: HTMLTextAreaElement) => void;
}

export function MappingFields(props: MappingFieldsProps) {
  const { templates, errors } = props;
  const isUsed = RARE.some(
    ({ name }) => templates[name] !== '' || errorAt(errors, `mapping/${name}`) !== undefined,
  );
  return (
    <>
      {USUAL.map((template) => (
        <TemplateField key={template.name} template={template} {...props} />
      ))}
      <Fold label="Repeats, filter, resolved" wanted={isUsed}>
        {RARE.map((template) => (
          <TemplateField key={template.name} template={template} {...props} />
        ))}
      </Fold>
    </>
  );
}

function TemplateField({
  template: { name, label, hint },
  templates,
  onChange,
  errors,
  disabled,
  onFocus,
}: MappingFieldsProps & { template: Template }) {
  const isMain = name === 'content';
  return (
    <Field label={label} hint={hint} error={errorAt(errors, `mapping/${name}`)}>
      {(control) => (
        <textarea
          {...control}
          rows={isMain ? 3 : 1}
          value={templates[name]}
          disabled={disabled}
          maxLength={MAX_TEMPLATE_CHARACTERS}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          placeholder={isMain ? '{{ service }} is {{ status }}' : undefined}
          onFocus={(event) => onFocus(name, event.target)}
          onChange={(event) => onChange({ ...templates, [name]: event.target.value })}
          className={`${INPUT} field-sizing-content resize-y py-2 font-mono text-13 ${isMain ? 'min-h-20' : 'min-h-10'}`}
        />
      )}
    </Field>
  );
}
