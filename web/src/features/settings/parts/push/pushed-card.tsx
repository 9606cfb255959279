// Which new items push: by priority, intake and tag, and how much a push says.
import { useState } from 'react';
import type { PushRules } from '#core/contract/index.ts';
import { useIntakeList } from '../../../../lib/intake-list.ts';
import { useSession } from '../../../../lib/session/use-session.ts';
import { formatTags, parseTags } from '../../../../lib/tags.ts';
import { CheckBox } from '../../../../ui/check-box.tsx';
import { TextField } from '../../../../ui/field.tsx';
import type { useSaveRules } from '../../data/push.ts';
import { Pills } from '../../../../ui/pills.tsx';
import { PriorityPills } from '../../../../ui/priority-pills.tsx';
import { RulesCard } from './rules-card.tsx';

interface PushedCardProps {
  rules: PushRules;
  saver: ReturnType<typeof useSaveRules>;
}

export function PushedCard({ rules, saver }: PushedCardProps) {
  const save = (changes: Partial<PushRules>) => saver.save('pushed', changes);
  return (
    <RulesCard
      title="What is pushed"
      description="To all devices of yours. Only what fits all of this."
      part="pushed"
      saver={saver}
    >
      <PriorityPills
        label="Priorities"
        hint={rules.priorities.length === 0 ? 'None: nothing is pushed.' : 'New items of these.'}
        chosen={rules.priorities}
        onChange={(priorities) => save({ priorities })}
      />
      <IntakePills chosen={rules.intakes} onChange={(intakes) => save({ intakes })} />
      <TagsField key={formatTags(rules.tags ?? [])} tags={rules.tags} onChange={(tags) => save({ tags })} />
      <CheckBox
        label="Hide contents"
        hint="A push says only how many items are new. For screens that others see."
        checked={rules.withhold}
        onChange={(withhold) => save({ withhold })}
      />
    </RulesCard>
  );
}

interface IntakePillsProps {
  chosen: PushRules['intakes'];
  onChange: (intakes: string[] | null) => void;
}

/** An API key cannot list intakes, so with one there is no choice. */
function IntakePills({ chosen, onChange }: IntakePillsProps) {
  const { method } = useSession();
  const { data: intakes = [] } = useIntakeList({ enabled: method === 'jwt' });
  const ids = chosen ?? [];
  // One that was deleted since can be taken out.
  const gone = intakes.length === 0 ? [] : ids.filter((id) => intakes.every((intake) => intake.id !== id));
  if (intakes.length === 0) return null;
  return (
    <Pills
      label="Intakes"
      hint={
        ids.length === 0
          ? 'All of them, as long as none is chosen, and what came without one.'
          : 'Only what came through these.'
      }
      find="Find an intake"
      options={[
        ...intakes.map(({ id, name }) => ({ value: id, label: name })),
        ...gone.map((id) => ({ value: id, label: 'A deleted intake' })),
      ]}
      chosen={ids}
      onToggle={(id, isOn) => {
        const next = isOn ? [...ids, id] : ids.filter((each) => each !== id);
        onChange(next.length === 0 ? null : next);
      }}
    />
  );
}

interface TagsFieldProps {
  tags: PushRules['tags'];
  onChange: (tags: string[] | null) => void;
}

/** Saved when it is left, or by Enter. */
function TagsField({ tags, onChange }: TagsFieldProps) {
  const stored = formatTags(tags ?? []);
  const [text, setText] = useState(stored);

  function save() {
    const next = [...new Set(parseTags(text))];
    if (formatTags(next) !== stored) onChange(next.length === 0 ? null : next);
  }

  return (
    <TextField
      label="Tags"
      hint="Separated by commas: only what has one of them. Empty for all."
      placeholder="ops, production"
      value={text}
      onChange={setText}
      onBlur={save}
      onKeyDown={({ key }) => {
        if (key === 'Enter') save();
      }}
      autoCapitalize="off"
      spellCheck={false}
    />
  );
}
