// Puts a section of a feature into the frame of the settings: features do not know each other.
import type { ComponentType } from 'react';

/** Loads a section together with the frame around it. `title`: its heading, and the title of the page. */
export function inSettings(title: string, load: () => Promise<{ default: ComponentType }>) {
  return async (): Promise<{ default: ComponentType }> => {
    const [{ SettingsFrame }, { default: Section }] = await Promise.all([
      import('./settings-frame.tsx'),
      load(),
    ]);
    return {
      default: () => (
        <SettingsFrame title={title}>
          <Section />
        </SettingsFrame>
      ),
    };
  };
}
