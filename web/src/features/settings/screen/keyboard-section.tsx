// Whether single keys do things in this browser.
import { KeyboardCard } from '../parts/preference-cards.tsx';

export default KeyboardCard;
