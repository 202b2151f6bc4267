/** The raw side of a call: body, headers, and the call as code. */
import { useState } from 'react';
import type { OperationResponse } from '../../api/run-operation.ts';
import { type CodeTab, CodeWell } from '../../components/code-well.tsx';
import type { Call } from '../../components/snippets.ts';
import { listSnippets } from './snippet-list.ts';

/** Shows the tabs. A PDF has no text, so it has no tab `Body`. */
export function CallTabs({ call, response }: { call: Call; response: OperationResponse }) {
  const [tab, setTab] = useState('body');
  const { body, headers } = response;
  const tabs: CodeTab[] = [
    ...(body.kind === 'pdf'
      ? []
      : [
          {
            value: 'body',
            label: 'Body',
            code: body.text,
            ...(body.kind === 'json' && { language: 'json' as const }),
          },
        ]),
    {
      value: 'headers',
      label: 'Headers',
      code: headers.map(([name, value]) => `${name}: ${value}`).join('\n'),
    },
    ...listSnippets(call),
  ];
  return <CodeWell label="Response and call" tabs={tabs} value={tab} onChange={setTab} />;
}
