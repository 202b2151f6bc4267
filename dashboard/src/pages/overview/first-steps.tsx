/** The steps of a new account: create a key, make a call, call the API from a server. */
import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { CreatedKey, Key } from '../../api/types.ts';
import { formatMaskedKey } from '../../components/api-key.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Icon } from '../../components/icon.tsx';
import { FormError } from '../../components/page-states.tsx';
import { useServedOperations } from '../../components/served-operations.ts';
import { useCreateKey } from '../keys/key-mutations.ts';
import { CallStep, TryStep } from './call-step.tsx';
import { CallChoice } from './first-calls.tsx';
import classes from './first-steps.module.css';

/**
 * Shows three steps; the later ones open when there is a key. `firstKey` is a key that was never used: its
 * secret is not known any more.
 */
export function FirstSteps({ firstKey }: { firstKey: Key | null }) {
  const [created, setCreated] = useState<CreatedKey | null>(null);
  const [isCalled, setIsCalled] = useState(false);
  const { served } = useServedOperations();
  const key = created?.key ?? firstKey;
  const canValidate =
    served.some(({ id }) => id === 'validateEmail') &&
    (key?.operations === null || key?.operations.includes('validateEmail') === true);
  return (
    <ol className={classes.steps}>
      <Step number={1} title="Create a key" isDone={key !== null}>
        <KeyStep created={created} firstKey={firstKey} onCreated={setCreated} />
      </Step>
      <Step number={2} title="Make your first call" isDone={isCalled}>
        {key &&
          (canValidate ? (
            <CallStep keyId={key.id} onCalled={() => setIsCalled(true)} />
          ) : (
            <TryStep keyId={key.id} />
          ))}
      </Step>
      <Step number={3} title="Call it from your server" isDone={false}>
        {key && <CallChoice secret={created?.secret} />}
      </Step>
    </ol>
  );
}

function Step({
  number,
  title,
  isDone,
  children,
}: {
  number: number;
  title: string;
  isDone: boolean;
  children: ReactNode;
}) {
  const isOpen = children !== null;
  return (
    <li className={classes.step} data-done={isDone || undefined} data-open={isOpen || undefined}>
      <span className={classes.number} aria-hidden="true">
        {isDone ? <Icon name="check" size={16} /> : number}
      </span>
      <div className={classes.content}>
        <h2>
          {title}
          {isDone && <span className="dim">, done</span>}
        </h2>
        {children}
      </div>
    </li>
  );
}

function KeyStep({
  created,
  firstKey,
  onCreated,
}: {
  created: CreatedKey | null;
  firstKey: Key | null;
  onCreated: (key: CreatedKey) => void;
}) {
  const creating = useCreateKey();
  if (created !== null) return <SecretOnce secret={created.secret} />;
  const create = () =>
    creating.isPending || creating.mutate({ name: 'My first key' }, { onSuccess: onCreated });
  return (
    <>
      <p>
        {firstKey === null ? (
          'Your server sends it with every request. You can create and name more keys later.'
        ) : (
          <>
            You have <span className="strong">{firstKey.name}</span>,{' '}
            <code className="nowrap">{formatMaskedKey(firstKey)}</code>. A key is shown only once: if you did
            not store it, create another.
          </>
        )}
      </p>
      <FormError error={creating.error} />
      <Button
        variant={firstKey === null ? 'filled' : 'default'}
        leftSection={<Icon name="key" size={16} />}
        loading={creating.isPending}
        onClick={create}
      >
        {firstKey === null ? 'Create key' : 'Create another key'}
      </Button>
    </>
  );
}

/** Shows the secret. It takes the focus of the button that it replaces. */
function SecretOnce({ secret }: { secret: string }) {
  const block = useRef<HTMLDivElement>(null);
  useEffect(() => block.current?.focus(), []);
  return (
    <div ref={block} tabIndex={-1} className={classes.secret} role="group" aria-label="The new key">
      <p>This key is shown only once. Store it with your server’s secrets.</p>
      <code data-testid="key-secret">{secret}</code>
      <CopyButton text={secret} label="Copy key" />
    </div>
  );
}
