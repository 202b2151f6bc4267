/** The result of a render: pages, warnings, download, and the call as code. */
import { Button } from '@mantine/core';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import type { OperationResponse } from '../../../api/run-operation.ts';
import { CopySnippet } from '../../../components/copy-button.tsx';
import { DrawerBody, SideDrawer } from '../../../components/drawer-form.tsx';
import { Icon } from '../../../components/icon.tsx';
import { WaitingTicks } from '../../../components/meter.tsx';
import { FormError } from '../../../components/page-states.tsx';
import { CallProblem } from '../call-problem.tsx';
import { CallStatus, LimitShare, RequestLink } from '../call-summary.tsx';
import { CallTabs } from '../call-tabs.tsx';
import { listSnippets } from '../snippet-list.ts';
import type { CallState } from '../use-call.ts';
import { PdfWarnings } from './pdf-warnings.tsx';
import classes from './workbench.module.css';

const PdfPages = lazy(async () => ({ default: (await import('./pdf-pages.tsx')).PdfPages }));

/** Shows the last response. `members` is the call as it would be sent now. */
export function ResultPane({
  call,
  members,
  onLine,
}: {
  call: CallState;
  members: Record<string, unknown>;
  onLine: (line: number) => void;
}) {
  const { done, error, isPending } = call;
  const [isOpen, setOpen] = useState(false);
  return (
    <section className={classes.result} aria-label="Result" aria-busy={isPending}>
      <div className={classes.bar}>
        {isPending ? (
          <span className={classes.rendering} role="status">
            <WaitingTicks /> Rendering
          </span>
        ) : (
          done && <CallStatus response={done.response} />
        )}
        {done?.response.body.kind === 'pdf' && <DownloadButton data={done.response.body.data} />}
      </div>
      {error !== null && (
        <div className={classes.notes}>
          <FormError error={error} />
        </div>
      )}
      {done && error === null && <Response done={done} onLine={onLine} />}
      {!done && error === null && !isPending && (
        <div className={classes.first}>
          <h2>The pages appear here</h2>
          <p>Press Render, or Ctrl+Enter in the editor.</p>
        </div>
      )}
      <div className={classes.foot}>
        <span>Copy as</span>
        <div className={classes.copies} role="group" aria-label="Copy as">
          {listSnippets({ operation: 'generatePdf', members }).map(({ value, label, code }) => (
            <CopySnippet key={value} text={code} label={label} />
          ))}
        </div>
        {done && (
          <>
            <RequestLink response={done.response} />
            <Button variant="subtle" size="compact-sm" onClick={() => setOpen(true)}>
              Details
            </Button>
          </>
        )}
      </div>
      {done && (
        <SideDrawer title="Response and call" opened={isOpen} onClose={() => setOpen(false)}>
          <DrawerBody>
            <LimitShare response={done.response} />
            <CallTabs call={done.call} response={done.response} />
          </DrawerBody>
        </SideDrawer>
      )}
    </section>
  );
}

function Response({
  done: { call, response },
  onLine,
}: {
  done: NonNullable<CallState['done']>;
  onLine: (line: number) => void;
}) {
  if (response.body.kind !== 'pdf')
    return (
      <div className={classes.notes}>
        <CallProblem response={response} />
      </div>
    );
  return (
    <>
      <PdfWarnings
        response={response}
        html={typeof call.members.html === 'string' ? call.members.html : ''}
        onLine={onLine}
      />
      <Suspense fallback={<div className={classes.pages} />}>
        <PdfPages
          data={response.body.data}
          password={typeof call.members.password === 'string' ? call.members.password : undefined}
        />
      </Suspense>
    </>
  );
}

function DownloadButton({ data }: { data: Extract<OperationResponse['body'], { kind: 'pdf' }>['data'] }) {
  const url = useMemo(() => URL.createObjectURL(new Blob([data], { type: 'application/pdf' })), [data]);
  const last = useRef<string | null>(null);
  useEffect(() => {
    // Strict mode runs effects twice, so the URL is revoked only when it is replaced.
    if (last.current !== null && last.current !== url) URL.revokeObjectURL(last.current);
    last.current = url;
  }, [url]);
  return (
    <Button
      component="a"
      href={url}
      download="document.pdf"
      variant="default"
      leftSection={<Icon name="download" size={16} />}
    >
      Download
    </Button>
  );
}
