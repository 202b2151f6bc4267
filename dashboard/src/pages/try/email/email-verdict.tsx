/** The verdict on one address: the marked correction, then the reasons. */
import { useId } from 'react';
import { CorrectedText } from '../../../components/corrected-text.tsx';
import { Icon, type IconName } from '../../../components/icon.tsx';
import { describeVerdict, type EmailResult, listReasons, type Reason, type Tone } from './email-result.ts';
import classes from './email.module.css';

const TONE_ICONS: Record<Tone, IconName> = { ok: 'check', warn: 'alertTriangle', bad: 'close' };

/** Shows the verdict. */
export function EmailVerdict({ result }: { result: EmailResult }) {
  const id = useId();
  const { text, tone } = describeVerdict(result);
  const suggestion = result.did_you_mean;
  const confidence = result.details?.suggestion_confidence ?? null;
  return (
    <section aria-labelledby={id}>
      <div role="status">
        <h2 id={id} className={classes.verdict} data-tone={tone}>
          <Icon name={TONE_ICONS[tone]} size={16} />
          {text}
        </h2>
      </div>
      <p className={classes.address}>
        {suggestion === null ? (
          result.email
        ) : (
          <CorrectedText text={suggestion} original={result.email.toLowerCase()} />
        )}
      </p>
      {suggestion !== null && (
        <p className={classes.original}>
          instead of <del className="mono">{result.email}</del>
          {confidence !== null && `, confidence ${confidence.toFixed(2)}`}
        </p>
      )}
      <ul className={classes.reasons} aria-label="Reasons">
        {listReasons(result).map((reason) => (
          <ReasonLine key={reason.field} reason={reason} />
        ))}
      </ul>
    </section>
  );
}

const TONE_NAMES = { ok: 'Good', warn: 'Warning', bad: 'Bad' };

function ReasonLine({ reason: { text, field, tone } }: { reason: Reason }) {
  return (
    <li>
      <span
        className={classes.icon}
        data-tone={tone}
        {...(tone && { role: 'img', 'aria-label': TONE_NAMES[tone] })}
      >
        {tone ? <Icon name={TONE_ICONS[tone]} size={14} /> : '–'}
      </span>
      <span>{text}</span>
      <code>{field}</code>
    </li>
  );
}
