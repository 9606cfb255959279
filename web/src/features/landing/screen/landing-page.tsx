// The landing page. A signed-in person is redirected to the inbox.
import './landing.css';
import { Redirect } from 'wouter';
import { usePageTitle } from '../../../lib/page-title.ts';
import { useSession } from '../../../lib/session/use-session.ts';
import { Landing } from './landing.tsx';

export default function LandingPage() {
  const { authenticated, loading } = useSession();
  usePageTitle('');
  if (authenticated && !loading) return <Redirect to="/inbox" replace />;
  return <Landing origin={location.origin} />;
}
