// Theme and density of rows.
import { Monitor, Moon, Sun } from 'lucide-react';
import { setPreferences, usePreferences } from '../../../lib/preferences.ts';
import { Choice } from '../../../ui/choice.tsx';
import { Card } from '../../../ui/card.tsx';

export function AppearanceCard() {
  const { theme, density } = usePreferences();
  return (
    <Card title="Appearance">
      <div className="grid gap-5 sm:max-w-[26rem]">
        <Choice
          label="Theme"
          value={theme}
          onChange={(next) => setPreferences({ theme: next })}
          options={[
            { value: 'system', label: 'System', icon: <Monitor size={16} aria-hidden /> },
            { value: 'light', label: 'Light', icon: <Sun size={16} aria-hidden /> },
            { value: 'dark', label: 'Dark', icon: <Moon size={16} aria-hidden /> },
          ]}
        />
        <Choice
          label="Rows"
          value={density}
          onChange={(next) => setPreferences({ density: next })}
          options={[
            { value: 'comfortable', label: 'Comfortable' },
            { value: 'compact', label: 'Compact' },
          ]}
        />
      </div>
    </Card>
  );
}
