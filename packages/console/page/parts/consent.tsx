import { type OperatorParameters, type OperatorQuestion, reviewText } from '@a2c/protocol';
import { useEffect, useRef, useState } from 'preact/hooks';
import { request } from '../state/request.js';
import { reviewArguments } from '../state/review-text.js';
import { lists } from '../state/store.js';
import { formatBytes, t } from '../state/texts.js';
import { ActionButton, announce, Hints } from './basics.js';
import { ReviewBox } from './review-box.js';

/** How long a question that appears or moves ignores clicks: a person who saw it needs longer to answer. */
const HOLD_MS = 700;

/** The calls that wait for consent, above every view. */
export function Consent() {
  const questions = lists.questions.items.value;
  const newest = questions.at(-1);
  useEffect(() => {
    if (newest) announce(t('consentAsked', { agent: newest.agent ?? t('local'), tool: newest.tool }));
  }, [newest?.id]);
  const section = useRef<HTMLElement>(null);
  const answered = useRef('');
  useEffect(() => {
    if (answered.current === '' || questions.some(({ id }) => id === answered.current)) return;
    answered.current = '';
    // The button that had the focus is gone: go to the next question, or to the view.
    (section.current?.querySelector('article') ?? document.getElementById('main'))?.focus();
  }, [questions]);
  if (questions.length === 0) return null;
  return (
    <section class="questions" aria-label={t('consentRegion')} ref={section}>
      {questions.map((question, index) => (
        <Question
          key={question.id}
          question={question}
          place={questions
            .slice(0, index)
            .map(({ id }) => id)
            .join()}
          others={questions.filter(({ agent }) => agent === question.agent).length - 1}
          onAnswer={() => (answered.current = question.id)}
        />
      ))}
    </section>
  );
}

/** Whether something has come to a new place, where a click may have been meant for what was there before. */
function useHasMoved(place: string): boolean {
  const [settled, setSettled] = useState<string | undefined>(undefined);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(place), HOLD_MS);
    return () => clearTimeout(timer);
  }, [place]);
  return place !== settled;
}

function Question({
  question,
  place,
  others,
  onAnswer,
}: {
  readonly question: OperatorQuestion;
  /** Changes when the question moves. */
  readonly place: string;
  /** How many other questions the same Agent waits for. */
  readonly others: number;
  readonly onAnswer: () => void;
}) {
  const { id, agent, tool, server, description, hints, largeArguments } = question;
  const [requested, setRequested] = useState<OperatorQuestion | undefined>(undefined);
  const [isShown, setShown] = useState(false);
  // The buttons move when all is shown.
  const isHeld = useHasMoved(`${place} ${isShown}`);
  const args = question.arguments ?? requested?.arguments;
  const hasArguments = largeArguments !== undefined || Object.keys(args ?? {}).length > 0;
  const isIncomplete = hasArguments && !isShown;
  const answer = (given: OperatorParameters<'answer'>['answer']) => () => {
    onAnswer();
    return request('answer', { id, answer: given });
  };
  return (
    <article class="question" tabIndex={-1}>
      <h2>{reviewText(t('consentTitle', { agent: agent ?? t('local'), tool }))}</h2>
      <p class="muted">
        {reviewText(t('consentOn', { server }))} <Hints hints={hints} />
      </p>
      {description && (
        <ReviewBox id={description} kind="description" showAll={t('descriptionAll')}>
          {reviewText(description)}
        </ReviewBox>
      )}
      {hasArguments && (
        <ReviewBox
          id={id}
          kind="json"
          showAll={t('consentAll')}
          rest={
            largeArguments && !requested
              ? {
                  notice: t('consentLarge', { size: formatBytes(largeArguments.bytes) }),
                  load: async () => setRequested(await request('question', { id })),
                }
              : undefined
          }
          onShown={setShown}
        >
          {args ? reviewArguments(args) : `${reviewText(largeArguments?.start ?? '')}…`}
        </ReviewBox>
      )}
      <div class="actions">
        <ActionButton kind="primary" isHeld={isHeld || isIncomplete} action={answer('allow')}>
          {t('allow')}
        </ActionButton>
        <ActionButton isHeld={isHeld || isIncomplete} action={answer('always')}>
          {t('always')}
        </ActionButton>
        <ActionButton kind="danger" isHeld={isHeld} action={answer('deny')}>
          {t('deny')}
        </ActionButton>
        {others > 0 && (
          <ActionButton kind="danger" isHeld={isHeld} action={answer('deny-all')}>
            {t('denyAll', { count: others + 1, agent: agent ?? t('local') })}
          </ActionButton>
        )}
      </div>
    </article>
  );
}
