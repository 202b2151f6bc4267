/** The first call, from the page itself. */
import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type OperationResponse, runOperation } from '../../api/run-operation.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { Form } from '../../components/form.tsx';
import { formatDuration } from '../../components/format.ts';
import { Icon } from '../../components/icon.tsx';
import { FormError } from '../../components/page-states.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import classes from './first-steps.module.css';

/** Validates an address with the key, and shows the response. */
export function CallStep({ keyId, onCalled }: { keyId: string; onCalled: () => void }) {
  const client = useQueryClient();
  const [email, setEmail] = useState('ann@gmial.com');
  const calling = useMutation({
    mutationFn: () => runOperation('validateEmail', keyId, { email }),
    onSuccess: (response) => {
      if (response.status === 200) onCalled();
      void client.invalidateQueries({ queryKey: ['overview'] });
    },
  });
  return (
    <>
      <Form busy={calling.isPending} onSubmit={() => calling.mutate()}>
        <div className={classes.call}>
          <TextInput
            label="Is this address usable?"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            autoComplete="off"
          />
          <Button type="submit" loading={calling.isPending} leftSection={<Icon name="send" size={16} />}>
            Call the API
          </Button>
        </div>
      </Form>
      <FormError error={calling.error} />
      {calling.data && <CallResponse response={calling.data} keyId={keyId} />}
    </>
  );
}

function CallResponse({ response, keyId }: { response: OperationResponse; keyId: string }) {
  return (
    <>
      <p className={classes.status} role="status">
        <StatusBadge status={response.status} text={response.statusText} />
        <span className="dim tabular">{formatDuration(response.ms)}</span>
      </p>
      {response.body.kind !== 'pdf' && (
        <CodeBlock code={response.body.text} label="the response" language="json" />
      )}
      {response.status === 200 && (
        <p>
          That was your first call. Page metadata and PDFs are under{' '}
          <Link to="/try" search={{ key: keyId }}>
            Try it
          </Link>
          .
        </p>
      )}
    </>
  );
}

/** Leads to the forms, if the key or the server does not allow the example. */
export function TryStep({ keyId }: { keyId: string }) {
  return (
    <>
      <p>Fill in a form, send it, and see the response as your server would.</p>
      <Button renderRoot={(props) => <Link to="/try" search={{ key: keyId }} {...props} />}>Try it</Button>
    </>
  );
}
