/** Turns the second factor on: proof, then the secret as a QR code and a first code, then recovery codes. */
import { Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { findFieldError, findFormError, request } from '../../api/request.ts';
import type { SignInMethods } from '../../api/sign-in-queries.ts';
import type { RouteResponse } from '../../api/types.ts';
import { CopyIcon } from '../../components/copy-button.tsx';
import { DrawerFormContent, SideDrawer } from '../../components/drawer-form.tsx';
import classes from './enroll-drawer.module.css';
import { type Proof, ProofField, useProof } from './proof.tsx';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

type Enrollment = RouteResponse<'POST /account/second-factor'>;

interface EnrollProps {
  methods: SignInMethods;
  onClose: () => void;
  /** Called when the second factor is on. */
  onEnabled: () => void;
}

/** Shows one step after the other. It starts anew when it opens. */
export function EnrollDrawer({ opened, ...props }: EnrollProps & { opened: boolean }) {
  const [isEnabled, setIsEnabled] = useState(false);
  const enable = () => {
    setIsEnabled(true);
    props.onEnabled();
  };
  return (
    <SideDrawer
      title="Authenticator app"
      opened={opened}
      locked={isEnabled}
      onClose={props.onClose}
      onClosed={() => setIsEnabled(false)}
    >
      <EnrollSteps {...props} isEnabled={isEnabled} onEnabled={enable} />
    </SideDrawer>
  );
}

function EnrollSteps({ methods, onClose, onEnabled, isEnabled }: EnrollProps & { isEnabled: boolean }) {
  // The account gets its second factor during the steps: they continue as they began.
  const [startedWith] = useState(methods);
  const [enrollment, setEnrollment] = useState<Enrollment | null>(null);
  if (enrollment === null)
    return <ProofStep methods={startedWith} onClose={onClose} onProven={setEnrollment} />;
  if (!isEnabled) return <ScanStep enrollment={enrollment} onClose={onClose} onConfirmed={onEnabled} />;
  return (
    <RecoveryCodes codes={enrollment.recovery_codes} onDone={onClose}>
      The second factor is on, and every other device is signed out.
    </RecoveryCodes>
  );
}

function ProofStep({
  methods,
  onClose,
  onProven,
}: {
  methods: SignInMethods;
  onClose: () => void;
  onProven: (enrollment: Enrollment) => void;
}) {
  const proof = useProof(methods, 'password');
  const starting = useMutation({
    mutationFn: ({ password }: Proof) =>
      request('POST /account/second-factor', { body: password === undefined ? {} : { password } }),
    onSuccess: onProven,
  });
  const submit = () => {
    const checked = proof.check();
    if (checked) starting.mutate(checked);
  };
  return (
    <DrawerFormContent
      action="Continue"
      busy={starting.isPending}
      error={proof.kind ? findFormError(starting.error, proof.kind) : starting.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <Text size="sm">
        You need an app that shows codes, such as the one of your password manager. From then on, signing in
        takes a code after the password, and every other device is signed out.
      </Text>
      <ProofField proof={proof} error={starting.error} />
    </DrawerFormContent>
  );
}

function ScanStep({
  enrollment: { uri, secret },
  onClose,
  onConfirmed,
}: {
  enrollment: Enrollment;
  onClose: () => void;
  onConfirmed: () => void;
}) {
  const [code, setCode] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const confirming = useMutation({
    mutationFn: () => request('POST /account/second-factor/confirm', { body: { code: code.trim() } }),
    onSuccess: onConfirmed,
  });
  const submit = () => {
    setIsMissing(code.trim() === '');
    if (code.trim() !== '') confirming.mutate();
  };
  return (
    <DrawerFormContent
      action="Turn on"
      busy={confirming.isPending}
      error={findFormError(confirming.error, 'code')}
      onSubmit={submit}
      onClose={onClose}
    >
      <ol className={classes.steps}>
        <li>
          <h3>1. Scan this with the app</h3>
          <div className={classes.qr}>
            <QrCode text={uri} label="QR code of the secret" />
          </div>
          <Text size="sm">Or type the secret:</Text>
          <div className={classes.secret}>
            <code data-testid="totp-secret">{secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
            <CopyIcon text={secret} what="the secret" />
          </div>
        </li>
        <li>
          <h3>2. Enter the code that it shows</h3>
          <TextInput
            label="Code"
            placeholder="123456"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={10}
            w="10rem"
            autoFocus
            data-autofocus
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            error={isMissing ? 'Enter the six digits.' : findFieldError(confirming.error, 'code')}
            aria-invalid={isMissing || findFieldError(confirming.error, 'code') !== undefined || undefined}
          />
        </li>
      </ol>
    </DrawerFormContent>
  );
}
