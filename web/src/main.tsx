// Starts the page: the route's chunk, the sign-in link if there is one, then React.
import './ui/base.css';
import { createRoot } from 'react-dom/client';
import { App, createQueryClient } from './app/app.tsx';
import { preload } from './app/routes.tsx';
import { refreshProfile } from './lib/session/actions.ts';
import { signInByLink } from './lib/session/sign-in-link.ts';

preload(location.pathname);
const byLink = location.hash.includes('signin=');
void (byLink ? signInByLink() : refreshProfile());

const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<App queryClient={createQueryClient()} />);
