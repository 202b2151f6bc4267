/** The second step of a sign-in: a code of the authenticator app, or a recovery code. */
import { Button, PinInput, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { findFieldError, findFormError, request } from '../../api/request.ts';
import { FormError } from '../../components/page-states.tsx';
import { AuthForm, AuthLink, useEnter } from './auth-form.tsx';
import classes from './auth-form.module.css';

const DIGITS = 6;

/** Shows six fields for the digits, which are sent with the last one, or a field for a recovery code. */
export function SecondStep({ next }: { next: string | undefined }) {
  const [isRecovery, setIsRecovery] = useState(false);
  const [code, setCode] = useState('');
  const [failures, setFailures] = useState(0);
  const enter = useEnter(next);
  const sending = useMutation({
    mutationFn: (text: string) =>
      request('POST /account/sign-in/second-factor', { body: { code: text.trim() } }),
    onSuccess: ({ account }) => enter(account),
    onError: () => {
      if (isRecovery) return;
      setCode('');
      setFailures((count) => count + 1);
    },
  });
  const change = (recovery: boolean) => {
    setIsRecovery(recovery);
    setCode('');
    sending.reset();
  };
  const isComplete = isRecovery ? code.trim() !== '' : code.length === DIGITS;
  const wrong = findFieldError(sending.error, 'code');
  return (
    <AuthForm
      title={isRecovery ? 'Enter a recovery code' : 'Enter the code'}
      intro={isRecovery ? 'Each code works once.' : 'Six digits from your authenticator app.'}
      busy={sending.isPending}
      onSubmit={() => isComplete && sending.mutate(code)}
    >
      <FormError error={findFormError(sending.error, 'code')} />
      {isRecovery ? (
        <TextInput
          label="Recovery code"
          autoComplete="off"
          autoFocus
          spellCheck={false}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={wrong}
        />
      ) : (
        <div role="group" aria-label="Six digits" className={classes.digits}>
          <PinInput
            // Disabled fields lose the focus: new ones put it in the first.
            key={failures}
            length={DIGITS}
            type="number"
            size="lg"
            gap={8}
            placeholder=""
            autoFocus
            ariaLabel="Digit"
            getInputProps={(index) => ({ 'aria-label': `Digit ${index + 1}` })}
            value={code}
            onChange={setCode}
            onComplete={(text) => sending.mutate(text)}
            error={sending.isError}
            disabled={sending.isPending}
          />
          {wrong !== undefined && (
            <Text size="xs" c="red" role="alert" mt={6}>
              {wrong}
            </Text>
          )}
        </div>
      )}
      <Button type="submit" fullWidth loading={sending.isPending} disabled={!isComplete}>
        Sign in
      </Button>
      <p className={classes.aside}>
        <button type="button" className={classes.link} onClick={() => change(!isRecovery)}>
          {isRecovery ? 'Use a code from the app' : 'Use a recovery code'}
        </button>
        {' · '}
        <AuthLink to="/sign-in">Back to sign in</AuthLink>
      </p>
      {isRecovery && (
        <p className={classes.aside}>No app and no code left? Ask the operator to reset the second factor.</p>
      )}
    </AuthForm>
  );
}
