/** The warnings of the service about a document that it rendered. */
import type { OperationResponse } from '../../../api/run-operation.ts';
import { formatCount } from '../../../components/format.ts';
import { Icon } from '../../../components/icon.tsx';
import { findHeader } from '../use-call.ts';
import { findWarningLine } from './find-warning-line.ts';
import classes from './workbench.module.css';

/** Shows the sentences of the warnings. The service sends the first five, and the number of all. */
export function PdfWarnings({
  response,
  html,
  onLine,
}: {
  response: OperationResponse;
  html: string;
  onLine: (line: number) => void;
}) {
  const sentences = response.headers.flatMap(([name, value]) => (name === 'x-pdf-warning' ? [value] : []));
  const count = Number(findHeader(response, 'x-pdf-warnings') ?? 0);
  if (count === 0) return null;
  return (
    <div className={classes.notes} role="status">
      {sentences.map((sentence) => {
        const line = findWarningLine(sentence, html);
        return (
          <p key={sentence} className={classes.warning}>
            <Icon name="alertTriangle" size={16} />
            <span>
              {sentence}{' '}
              {line !== null && (
                <button type="button" className="focus" onClick={() => onLine(line)}>
                  Line {line}
                </button>
              )}
            </span>
          </p>
        );
      })}
      {count > sentences.length && (
        <p className={classes.warning}>
          <Icon name="alertTriangle" size={16} />
          <span>
            {sentences.length === 0
              ? formatCount(count, 'warning')
              : formatCount(count - sentences.length, 'more warning')}
          </span>
        </p>
      )}
    </div>
  );
}
