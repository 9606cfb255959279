// The notification of a task, and its sound.
import type { Task } from '#core/contract/index.ts';

const LONGEST_TITLE = 100;
const TONE_HZ = 740;
const TONE_SECONDS = 0.18;

export function notifyOf(task: Task, sound: boolean): void {
  void show(task);
  if (sound) play();
}

async function show({ id, content }: Task): Promise<void> {
  const [line = '', ...rest] = content.split('\n');
  const title = line.length > LONGEST_TITLE ? `${line.slice(0, LONGEST_TITLE - 1)}…` : line;
  // The same task never rings twice, from however many tabs.
  const options = { tag: id, body: rest.join('\n').slice(0, 200), icon: '/icons/icon-192.png', silent: true };
  try {
    const notification = new Notification(title, options);
    notification.addEventListener('click', () => {
      window.focus();
      notification.close();
    });
  } catch {
    // Phones show them through a service worker only.
    const worker = await navigator.serviceWorker?.getRegistration();
    await worker?.showNotification(title, options).catch(() => undefined);
  }
}

// Short, soft, and not a file to be fetched.
function play(): void {
  try {
    const context = new AudioContext();
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = TONE_HZ;
    volume.gain.setValueAtTime(0.08, context.currentTime);
    volume.gain.exponentialRampToValueAtTime(0.001, context.currentTime + TONE_SECONDS);
    tone.connect(volume).connect(context.destination);
    tone.addEventListener('ended', () => void context.close());
    tone.start();
    tone.stop(context.currentTime + TONE_SECONDS);
  } catch {
    // No sound is available: the notification is shown all the same.
  }
}
