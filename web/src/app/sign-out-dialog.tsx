// Asks before a sign-out whether unsent changes may be lost.
import { plural } from '../lib/text.ts';
import type { SignOutQuestion } from '../lib/session/sign-out-question.ts';
import { Confirm } from '../ui/confirm.tsx';

export default function SignOutDialog({ question }: { question: SignOutQuestion }) {
  const what = plural(question.changes, 'change');
  return (
    <Confirm
      open
      title={`${what} not sent yet`}
      question={`Qinbox could not be reached. If you sign out now, ${question.changes === 1 ? 'it is' : 'they are'} lost.`}
      action={`Sign out and lose ${question.changes === 1 ? 'it' : 'them'}`}
      onConfirm={() => question.answer(true)}
      onCancel={() => question.answer(false)}
    />
  );
}
