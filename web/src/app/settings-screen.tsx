// The settings with the cards of other features among them: features do not know each other.
import { IntakesCard } from '../features/intakes/intakes-card.tsx';
import SettingsPage from '../features/settings/settings-page.tsx';

export default function SettingsScreen() {
  return (
    <SettingsPage>
      <IntakesCard />
    </SettingsPage>
  );
}
