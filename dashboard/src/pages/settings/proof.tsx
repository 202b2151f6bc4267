/** Proof of who uses the session, before a change of how the account is signed in to. */
import { Button, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { findFieldError, findFormError } from '../../api/request.ts';
import type { SignInMethods } from '../../api/sign-in-queries.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { FormError } from '../../components/page-states.tsx';
import { PasswordField } from '../../components/password-field.tsx';

/** The members of the body that prove it. Empty if the account has neither password nor second factor. */
export interface Proof {
  password?: string;
  code?: string;
}

type ProofKind = keyof Proof;

const MISSING = { password: 'Enter your password.', code: 'Enter a code.' } as const;

function listKinds({ password, second_factor: secondFactor }: SignInMethods): ProofKind[] {
  return [...(password ? (['password'] as const) : []), ...(secondFactor ? (['code'] as const) : [])];
}

/**
 * Holds what the user types as proof. `check` returns the proof, or null if it is missing; the field then
 * says so.
 */
export function useProof(methods: SignInMethods, only?: ProofKind) {
  const kinds = listKinds(methods).filter((kind) => only === undefined || kind === only);
  const [chosen, setChosen] = useState<ProofKind | undefined>(undefined);
  const [value, setValue] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const kind = chosen ?? kinds[0];
  const check = (): Proof | null => {
    const text = kind === 'code' ? value.trim() : value;
    setIsMissing(kind !== undefined && text === '');
    if (kind === undefined) return {};
    return text === '' ? null : { [kind]: text };
  };
  const choose = (next: ProofKind) => {
    setChosen(next);
    setValue('');
    setIsMissing(false);
  };
  return { kinds, kind, value, setValue, isMissing, check, choose };
}

/** Shows the field of a proof, with a button that changes between password and code. */
export function ProofField({ proof, error }: { proof: ReturnType<typeof useProof>; error: unknown }) {
  const { kinds, kind, value, setValue, isMissing, choose } = proof;
  if (kind === undefined) return null;
  const other = kinds.find((one) => one !== kind);
  const field = {
    value,
    autoFocus: true,
    'data-autofocus': true,
    onChange: (event: { currentTarget: { value: string } }) => setValue(event.currentTarget.value),
    error: isMissing ? MISSING[kind] : findFieldError(error, kind),
  };
  return (
    <Stack gap={6} align="stretch">
      {kind === 'password' ? (
        <PasswordField key="password" label="Your password" autoComplete="current-password" {...field} />
      ) : (
        <TextInput
          key="code"
          label="Code of the app, or a recovery code"
          autoComplete="one-time-code"
          spellCheck={false}
          {...field}
          aria-invalid={Boolean(field.error) || undefined}
        />
      )}
      {other && (
        <Button
          variant="subtle"
          size="compact-sm"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => choose(other)}
        >
          {other === 'code' ? 'Use a code instead' : 'Use the password instead'}
        </Button>
      )}
    </Stack>
  );
}

/** The texts and the action of a confirmation by proof. */
export interface ProofAction {
  title: string;
  /** The label of the confirming button. */
  action: string;
  isDangerous?: boolean;
  methods: SignInMethods;
  /** The only proof that the service takes here, if the account has it. */
  only?: keyof Proof | undefined;
  onConfirm: (proof: Proof) => Promise<unknown>;
}

/** Asks for the proof and calls `onConfirm` with it. Closes on success and shows the error otherwise. */
export function ProofModal({
  opened,
  onClose,
  children,
  ...action
}: ProofAction & { opened: boolean; onClose: () => void; children: ReactNode }) {
  return (
    <Modal opened={opened} onClose={onClose} title={action.title} keepMounted={false}>
      <ProofForm {...action} onClose={onClose}>
        {children}
      </ProofForm>
    </Modal>
  );
}

function ProofForm({
  action,
  isDangerous = false,
  methods,
  only,
  onConfirm,
  onClose,
  children,
}: ProofAction & { onClose: () => void; children: ReactNode }) {
  const proof = useProof(methods, only);
  const confirming = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  const submit = () => {
    const checked = proof.check();
    if (checked) confirming.mutate(checked);
  };
  return (
    <DialogForm
      action={action}
      {...(isDangerous && { color: 'red' as const })}
      busy={confirming.isPending}
      focusCancel={proof.kind === undefined}
      onSubmit={submit}
      onCancel={onClose}
    >
      <Text size="sm" component="div">
        {children}
      </Text>
      <FormError error={proof.kind ? findFormError(confirming.error, proof.kind) : confirming.error} />
      <ProofField proof={proof} error={confirming.error} />
    </DialogForm>
  );
}
