/** The secret of a new key, which is shown only once, and the way to its first request. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { firstRequestQuery } from '../../api/request-log.ts';
import { planQuery } from '../../api/queries.ts';
import type { CreatedKey, Key } from '../../api/types.ts';
import { formatMaskedKey } from '../../components/api-key.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { CodeWell } from '../../components/code-well.tsx';
import { DrawerBody, DrawerFooter } from '../../components/drawer-form.tsx';
import { Fact, Facts } from '../../components/facts.tsx';
import { formatDay, formatDuration, formatNumber, formatRelative } from '../../components/format.ts';
import { WaitingTicks } from '../../components/meter.tsx';
import { getOperation } from '../../components/operations.ts';
import { StatusCode } from '../../components/state.tsx';
import {
  EXAMPLE_CALLS,
  formatExportLine,
  formatSnippet,
  SNIPPET_LANGUAGES,
  type SnippetLanguage,
} from '../../components/snippets.ts';
import classes from './keys.module.css';
import { SecretBlock } from './secret-block.tsx';

/** Shows the secret, a call to copy, and the first request when it arrives. */
export function KeyCreated({
  created,
  onDone,
  note,
}: {
  created: CreatedKey;
  onDone: () => void;
  note?: string;
}) {
  const { key, secret } = created;
  return (
    <>
      <DrawerBody>
        <SecretBlock name={key.name} secret={secret} />
        {note !== undefined && <p className={classes.text}>{note}</p>}
        <section>
          <h3 className={classes.title}>Put it where your server reads secrets</h3>
          <CodeBlock
            code={formatExportLine(formatMaskedKey(key))}
            copied={formatExportLine(secret)}
            label="the line that sets the key"
          />
        </section>
        <section>
          <h3 className={classes.title}>Make the first call</h3>
          <FirstCall apiKey={key} />
          <FirstRequest keyId={key.id} />
        </section>
        <section>
          <h3 className={classes.title}>What it may do</h3>
          <KeyFacts apiKey={key} />
        </section>
      </DrawerBody>
      <DrawerFooter>
        <Button
          variant="default"
          onClick={onDone}
          renderRoot={(props) => <Link to="/try" search={{ key: key.id }} {...props} />}
        >
          Try it here
        </Button>
        <Button onClick={onDone}>I have saved it</Button>
      </DrawerFooter>
    </>
  );
}

/** Shows a call of the first operation that the key may call. */
function FirstCall({ apiKey }: { apiKey: Key }) {
  const [language, setLanguage] = useState<string>('curl');
  const call = EXAMPLE_CALLS[getOperation(apiKey.operations?.[0]).id];
  return (
    <CodeWell
      label="Language"
      value={language}
      onChange={setLanguage}
      tabs={SNIPPET_LANGUAGES.map(({ value, label }: { value: SnippetLanguage; label: string }) => ({
        value,
        label,
        code: formatSnippet(value, call, window.location.origin),
      }))}
    />
  );
}

function FirstRequest({ keyId }: { keyId: string }) {
  const first = useQuery(firstRequestQuery(keyId)).data;
  return (
    <p className={classes.listen} role="status">
      {first ? (
        <>
          <StatusCode status={first.status} />
          <span>
            The first request took {formatDuration(first.ms)}.{' '}
            <Link to="/requests" search={{ request: first.request_id }}>
              See it in the log
            </Link>
          </span>
        </>
      ) : (
        <>
          <WaitingTicks />
          Waiting for the first request with this key
        </>
      )}
    </p>
  );
}

function KeyFacts({ apiKey }: { apiKey: Key }) {
  const plan = useQuery(planQuery).data;
  const [now] = useState(() => Date.now());
  const { operations, client_cidrs: networks, expires_at: expiresAt } = apiKey;
  return (
    <Facts>
      <Fact label="Operations">{operations?.map((id) => getOperation(id).short).join(', ') ?? 'All'}</Fact>
      <Fact label="From">{networks ? <span className="mono">{networks.join(', ')}</span> : 'Anywhere'}</Fact>
      <Fact label="Expires">
        {expiresAt === null ? 'Never' : `${formatDay(expiresAt)}, ${formatRelative(expiresAt, now)}`}
      </Fact>
      {plan && <Fact label="Limit">{formatNumber(plan.limit_per_minute)} requests a minute</Fact>}
    </Facts>
  );
}
