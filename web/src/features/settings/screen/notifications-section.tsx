// What this browser tells of while nobody is looking.
import { NotificationsCard } from '../parts/preference-cards.tsx';

export default NotificationsCard;
