// The settings with the cards of other features among them: features do not know each other.
import { lazy, Suspense } from 'react';
import { IntakesCard } from '../features/intakes/screen/intakes-card.tsx';
import SettingsPage from '../features/settings/screen/settings-page.tsx';
import { useSlackStatus } from '../features/slack/data/slack-status.ts';
import { useSession } from '../lib/session/use-session.ts';

const loadSlackCard = () => import('../features/slack/screen/slack-card.tsx');
const SlackCard = lazy(loadSlackCard);
// Loaded with the screen itself. A failure shows when the card is drawn.
loadSlackCard().catch(() => undefined);

export default function SettingsScreen() {
  const { method } = useSession();
  // Asked here, so that the page knows of it before the card's own code has come.
  useSlackStatus();
  return (
    <SettingsPage>
      <IntakesCard />
      {method === 'jwt' ? (
        <Suspense fallback={null}>
          <SlackCard />
        </Suspense>
      ) : null}
    </SettingsPage>
  );
}
