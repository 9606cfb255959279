// The notification of a task, and its sound.
import type { Task } from '#core/contract/index.ts';

const LONGEST_TITLE = 100;
const LONGEST_BODY = 200;
const TONE_HZ = 740;
const TONE_SECONDS = 0.18;

export function notifyOf(task: Task, sound: boolean): void {
  void show(task);
  if (sound) play();
}

async function show({ id, content }: Task): Promise<void> {
  const [line = '', ...rest] = content.split('\n');
  const isCut = line.length > LONGEST_TITLE;
  const title = isCut ? `${beginning(line, LONGEST_TITLE - 1)}…` : line;
  // What a cut title leaves out would be seen nowhere.
  const body = beginning(isCut ? content : rest.join('\n'), LONGEST_BODY);
  // The same task never rings twice, from however many tabs.
  const options = { tag: id, body, icon: '/icons/icon-192.png', silent: true };
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

/** Never half a character. */
function beginning(text: string, maxChars: number): string {
  return text.slice(0, maxChars).replace(/\p{Cs}$/u, '');
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
