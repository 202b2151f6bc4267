/** The email example as code, beside its response. */
import { useState } from 'react';
import { CodeWell } from '../../components/code-well.tsx';
import { formatDuration } from '../../components/format.ts';
import { highlightCode } from '../../components/highlight-code.tsx';
import { EXAMPLE_CALLS, formatSnippet } from '../../components/snippets.ts';
import { formatTypeScript } from '../../components/snippets-typescript.ts';
import classes from './call-example.module.css';
import recorded from './recorded/examples.json';

/** Shows the call in curl and TypeScript, with the recorded response. */
export function CallExample() {
  const [language, setLanguage] = useState('curl');
  const call = EXAMPLE_CALLS.validateEmail;
  const origin = window.location.origin;
  const { status, ms, body } = recorded.email;
  return (
    <div className={classes.pair}>
      <CodeWell
        label="Language"
        value={language}
        onChange={setLanguage}
        tabs={[
          { value: 'curl', label: 'curl', code: formatSnippet('curl', call, origin) },
          { value: 'typescript', label: 'TypeScript', code: formatTypeScript(call, origin) },
        ]}
      />
      <div className={classes.response}>
        <div className={classes.bar}>
          {status} OK, {formatDuration(ms)}
        </div>
        {/* A scrollable region must be focusable (axe: scrollable-region-focusable). */}
        <pre tabIndex={0} role="region" aria-label="The response">
          <code>{highlightCode(JSON.stringify(body, null, 2), 'json')}</code>
        </pre>
      </div>
    </div>
  );
}
