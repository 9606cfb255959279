// What becomes of a whole message: its sender is checked, it is read, and every intake that it is for takes it in. 250 is answered only
// when each of them has it on disk; when one has not, the answer is temporary, and the sender's retry is a repeat for the others.
import type { Metadata } from '#core/domain/task.ts';
import type { ParsedDelivery } from '#core/domain/delivery.ts';
import type { IntakeService, IntakeWithSecrets, RefusalFacts } from '#core/ports/adapter/intake.ts';
import type { Log } from '#core/ports/log.ts';
import { keepMail } from '../stored-mail.ts';
import type { Mail, MailReader } from '../parse/mail.ts';
import { replayKeyOf, toDelivery } from '../parse/to-delivery.ts';
import { notAdmitted, REPLIES, replyOf, type Reply } from './reply.ts';
import { mustBeProven, senderRulesOf } from '../settings.ts';
import {
  judge,
  NOT_CHECKED,
  shownVerdicts,
  type Verdicts,
  type VerdictSource,
} from '../sender-checks/verdicts.ts';

const MAX_NOTE_CHARS = 320;

/** A message with what its envelope says. */
export interface Letter {
  raw: Buffer;
  /** Empty for a bounce. */
  sender: string;
  /** IP address of the client. */
  peer: string;
  /** Whether the client is of our own network. */
  isLocal: boolean;
  helo: string;
  /** Whom it is for, each once; at least one. All ask the same of the sender. */
  intakes: readonly IntakeWithSecrets[];
  /** Id of the intake whose token the client gave as its password, or null. */
  signedInFor: string | null;
  requestId: string;
}

export interface DeliveryParts {
  intakeService: IntakeService;
  reader: MailReader;
  verdicts: VerdictSource;
  smtpDomain: string;
  log: Log;
}

/** Makes the function that delivers; it never rejects. */
export function createDelivery(parts: DeliveryParts): (letter: Letter) => Promise<Reply> {
  const { intakeService, reader, verdicts, smtpDomain, log } = parts;

  /** Null when nothing is to be checked: the verdicts on a local client say nothing, unless an intake insists. */
  async function check(letter: Letter): Promise<Verdicts | null> {
    const { raw, peer, isLocal, helo, sender } = letter;
    if (isLocal && askingOf(letter).length === 0) return null;
    return verdicts.check({ raw, ip: isLocal ? null : peer, helo, sender });
  }

  function refuseAll(
    letter: Letter,
    reason: string,
    notes: Readonly<Record<string, string>>,
    facts: RefusalFacts = {},
  ): void {
    for (const intake of letter.intakes) intakeService.refuse(intake, reason, { notes, ...facts });
  }

  function refusalOf(letter: Letter, found: Verdicts | null, notes: Record<string, string>): Reply | null {
    const asking = askingOf(letter);
    if (found === null || asking.length === 0) return null;
    const judgements = asking.map((intake) => judge(senderRulesOf(intake), found, letter.sender));
    if (judgements.includes('unproven')) {
      const unproven = { unprovenFrom: letter.peer };
      refuseAll(letter, 'The sender is not proven, which this intake asks for.', notes, unproven);
      return REPLIES.notProven;
    }
    return judgements.includes('unsure') ? REPLIES.unproven : null;
  }

  /** Counts the message for those that asked for its proof, now that it is there; the others counted it when they were named. */
  async function admitProven(letter: Letter): Promise<Reply | null> {
    try {
      for (const intake of askingOf(letter)) await intakeService.authorize(intake, letter.requestId);
      return null;
    } catch (fault) {
      return notAdmitted(fault);
    }
  }

  async function take(
    letter: Letter,
    mail: Mail,
    parsed: ParsedDelivery,
    notes: Record<string, string>,
  ): Promise<Reply> {
    const { raw, requestId, intakes } = letter;
    const request = keepMail(raw, smtpDomain);
    const replayKey = replayKeyOf(mail, raw);
    const results = await Promise.allSettled(
      intakes.map((intake) => intakeService.ingest({ intake, parsed, replayKey, request, notes, requestId })),
    );
    const faults = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as unknown] : [],
    );
    for (const fault of faults) log.warn({ err: fault, requestId }, 'a mail could not be taken in');
    const replies = faults.map(replyOf).filter(({ code }) => code >= 400);
    // Temporary first: the retry finds those that have it already, and then the permanent one is all that is left to say.
    const reply = replies.find(({ code }) => code < 500) ?? replies[0];
    return reply ?? { code: 250, text: `2.6.0 Taken in as ${requestId}` };
  }

  return async (letter) => {
    try {
      const [found, read] = await Promise.all([
        check(letter),
        reader.read(letter.raw, { nullSender: letter.sender === '' }),
      ]);
      const notes = notesOf(letter, found);
      const refusal = refusalOf(letter, found, notes);
      if (refusal !== null) return refusal;
      const full = await admitProven(letter);
      if (full !== null) return full;
      if (read.kind === 'refused') {
        refuseAll(letter, read.reason, notes);
        return REPLIES.unreadable;
      }
      const reading = withMetadata(toDelivery(read.mail, smtpDomain), {
        verdicts: shownOf(letter, found) ?? NOT_CHECKED,
      });
      return await take(letter, read.mail, reading, notes);
    } catch (fault) {
      log.error({ err: fault, requestId: letter.requestId }, 'a mail could not be taken in');
      return replyOf(fault);
    }
  };
}

/** Those of its intakes that ask for proof of the sender. */
function askingOf({ intakes, signedInFor }: Letter): IntakeWithSecrets[] {
  return intakes.filter((intake) => mustBeProven(intake, signedInFor));
}

function shownOf({ isLocal }: Letter, found: Verdicts | null): Record<string, string> | null {
  if (found === null) return null;
  return isLocal ? { ...shownVerdicts(found), spf: NOT_CHECKED } : shownVerdicts(found);
}

function notesOf(letter: Letter, found: Verdicts | null): Record<string, string> {
  const { sender, peer, helo } = letter;
  return {
    sender: sender === '' ? '<>' : sender.slice(0, MAX_NOTE_CHARS),
    client: helo === '' ? peer : `${peer} (${helo})`,
    ...(shownOf(letter, found) ?? { checks: NOT_CHECKED }),
  };
}

function withMetadata(parsed: ParsedDelivery, facts: Metadata): ParsedDelivery {
  return {
    ...parsed,
    tasks: parsed.tasks.map((task) => ({ ...task, metadata: { ...task.metadata, ...facts } })),
  };
}
