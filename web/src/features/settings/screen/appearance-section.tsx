// How the app looks in this browser.
import { AppearanceCard } from '../parts/preference-cards.tsx';

export default AppearanceCard;
