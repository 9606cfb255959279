// A call, filled in and sent from the page: the request, its answer beside it, and the same as code. Loaded
// when the first one is opened.
import { Play } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { API_BASE } from '#core/contract/protocol.ts';
import { asRecord } from '../../../../lib/json.ts';
import { PLACEHOLDER_KEY } from '../../../../lib/quick-curl.ts';
import { useSession } from '../../../../lib/session/use-session.ts';
import { Banner } from '../../../../ui/banner.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Confirm } from '../../../../ui/confirm.tsx';
import { Form } from '../../../../ui/form.tsx';
import { updatePage, usePageState, useShownKey } from '../../data/page-state.ts';
import { renew, send, type Answer, type SentWith } from '../../data/send.ts';
import { accessOf, asksFirst, type CallAccess } from '../../model/access.ts';
import { codeOf, type HttpRequest } from '../../model/code.ts';
import type { ApiDocument, Operation } from '../../model/document.ts';
import { draftOf, requestOf, type Draft, type DraftErrors } from '../../model/request.ts';
import { LanguageTabs } from '../code-tabs.tsx';
import { CodeFigure } from '../code.tsx';
import { AnswerView } from './answer-view.tsx';
import { RequestFields } from './request-fields.tsx';
import { SentWithChoice, waysOf } from './sent-with.tsx';

export interface TryItProps {
  operation: Operation;
  document: ApiDocument;
  /** Ends in `/api/v1`. */
  baseUrl: string;
}

export default function TryIt({ operation, document: api, baseUrl }: TryItProps) {
  const { ownKey, taskId } = usePageState();
  const state = useSession();
  const [draft, setDraft] = useState(() => draftOf(operation, api, taskId));
  const [errors, setErrors] = useState<DraftErrors>({});
  const [picked, setPicked] = useState<SentWith>();
  const [isAsking, setIsAsking] = useState(false);
  const sending = useSending(operation);

  const access = accessOf(operation);
  const ways = waysOf(access, state);
  const likeliest = ways[0] === 'key' && ownKey === null ? (ways[1] ?? ways[0]) : ways[0];
  const way = picked !== undefined && ways.includes(picked) ? picked : likeliest;
  const key = way === 'key' ? ownKey?.key : undefined;
  const cannotSend = way === undefined || (way === 'key' && key === undefined);

  function check(): HttpRequest | null {
    const { request, errors: found } = requestOf(
      operation,
      draft,
      '',
      key === undefined ? [] : credentialsFor(access, key),
    );
    setErrors(found);
    return Object.keys(found).length === 0 ? request : null;
  }

  function submit() {
    const request = cannotSend ? null : check();
    if (request === null) return;
    if (asksFirst(operation)) setIsAsking(true);
    else void sending.start(request, way === 'session');
  }

  function confirm() {
    const request = check();
    setIsAsking(false);
    if (request !== null) void sending.start(request, way === 'session');
  }

  return (
    <div className="flex flex-col gap-5 rounded-md border border-line-1 p-3 sm:p-4">
      <div className="grid gap-5 xl:grid-cols-2">
        <Form
          className="flex min-w-0 flex-col gap-4"
          aria-label={`Try: ${operation.summary}`}
          onSubmit={submit}
        >
          <SentWithChoice
            access={access}
            purpose={operation.summary}
            state={state}
            ways={ways}
            chosen={way}
            onChoose={setPicked}
          />
          <RequestFields
            operation={operation}
            document={api}
            draft={draft}
            errors={errors}
            onChange={setDraft}
          />
          <div className="flex items-center gap-2">
            <Button type="submit" kind="primary" disabled={cannotSend || sending.busy}>
              <Play size={15} aria-hidden />
              {sending.busy ? 'Sending' : 'Send'}
            </Button>
            {sending.busy ? (
              <Button kind="quiet" onClick={sending.stop}>
                Stop
              </Button>
            ) : null}
          </div>
        </Form>
        <AnswerPart {...sending} document={api} />
      </div>
      <AsCode operation={operation} access={access} draft={draft} baseUrl={baseUrl} />
      <Confirm
        open={isAsking}
        title={`${operation.summary}?`}
        question={`${operation.method} ${addressOf(operation, draft)} changes what is on this server. It is sent once you confirm.`}
        action="Send it"
        onConfirm={confirm}
        onCancel={() => setIsAsking(false)}
      />
    </div>
  );
}

function addressOf(operation: Operation, draft: Draft): string {
  return requestOf(operation, draft, '', []).request.url;
}

function credentialsFor({ keyScopes }: CallAccess, key: string): [string, string][] {
  return [keyScopes === null ? ['Authorization', `Bearer ${key}`] : ['x-api-key', key]];
}

/** The one request that is under way, and what came of the last. */
function useSending({ operationId }: Operation) {
  const [busy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const controller = useRef<AbortController>(null);
  useEffect(() => () => controller.current?.abort(), []);

  async function start(request: HttpRequest, isOfSession: boolean) {
    const mine = new AbortController();
    controller.current?.abort();
    controller.current = mine;
    setBusy(true);
    setProblem(null);
    setAnswer(null);
    try {
      const came = await send(request, isOfSession, mine.signal);
      setAnswer(came);
      const { id } = asRecord(asRecord(came.json)['task']);
      if (typeof id === 'string') updatePage({ taskId: id });
      if (operationId === 'signOut' && isOfSession && came.status < 400) await renew();
    } catch (error) {
      setProblem(problemText(error));
    } finally {
      if (controller.current === mine) setBusy(false);
    }
  }

  return { busy, answer, problem, start, stop: () => controller.current?.abort() };
}

function problemText(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  if (name === 'AbortError')
    return 'You stopped it before an answer came. It may have been carried out all the same.';
  if (name === 'TimeoutError') return 'No answer came within 30 seconds.';
  return 'The server could not be reached. Check that it runs and that you are online, then send again.';
}

interface AnswerPartProps {
  busy: boolean;
  answer: Answer | null;
  problem: string | null;
  document: ApiDocument;
}

function AnswerPart({ busy, answer, problem, document: api }: AnswerPartProps) {
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    if (answer !== null) place.current?.scrollIntoView({ block: 'nearest' });
  }, [answer]);
  const isEmpty = answer === null && problem === null;
  return (
    <section
      ref={place}
      aria-label="Answer"
      className={`min-w-0 scroll-my-4 ${isEmpty && !busy ? 'max-xl:hidden' : ''}`}
    >
      {answer === null ? null : <AnswerView answer={answer} document={api} />}
      {problem === null ? null : (
        <Banner tone="danger" title="No answer">
          {problem}
        </Banner>
      )}
      {isEmpty ? (
        <p
          role="status"
          className="flex min-h-40 items-center justify-center rounded-md border border-dashed border-line-1 p-4 text-14 text-ink-3"
        >
          {busy ? 'Waiting for the answer' : 'The answer comes here.'}
        </p>
      ) : null}
    </section>
  );
}

interface AsCodeProps {
  operation: Operation;
  access: CallAccess;
  draft: Draft;
  baseUrl: string;
}

function AsCode({ operation, access, draft, baseUrl }: AsCodeProps) {
  const { shown, whole } = useShownKey(access.metrics ? 'your_token' : PLACEHOLDER_KEY);
  const origin = baseUrl.slice(0, -API_BASE.length);
  const requestWith = (key: string): HttpRequest =>
    requestOf(operation, draft, origin, programCredentials(access, key)).request;
  return (
    <div>
      <p className="text-13 font-semibold text-ink-2">As code</p>
      <LanguageTabs label={`Language of: ${operation.summary}`}>
        {(language) => (
          <CodeFigure
            title={operation.summary}
            code={codeOf(language, requestWith(shown))}
            whole={codeOf(language, requestWith(whole))}
            language={language}
          />
        )}
      </LanguageTabs>
    </div>
  );
}

/** What a program would send; a key that the page has is none for calls that take a session alone. */
function programCredentials(access: CallAccess, key: string): [string, string][] {
  if (access.open === 'always') return [];
  if (access.keyScopes !== null || access.metrics) return credentialsFor(access, key);
  return [['Authorization', 'Bearer your_access_token']];
}
