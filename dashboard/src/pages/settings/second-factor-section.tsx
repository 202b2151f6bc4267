/** The second factor of the account: an authenticator app and its recovery codes. */
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { devicesQuery } from '../../api/queries.ts';
import { request } from '../../api/request.ts';
import { type SignInMethods, signInMethodsQuery } from '../../api/sign-in-queries.ts';
import { formatCount } from '../../components/format.ts';
import { Tag } from '../../components/state.tsx';
import { type Proof, ProofModal } from './proof.tsx';
import { Item, Items, SettingsSection } from './settings-section.tsx';

// With the QR code, which few visits need.
const EnrollDrawer = lazy(async () => ({ default: (await import('./enroll-drawer.tsx')).EnrollDrawer }));
const CodesDrawer = lazy(async () => ({ default: (await import('./recovery-codes.tsx')).CodesDrawer }));

/** The number of codes from which the section warns. */
const FEW_CODES = 3;

/** Shows whether the second factor is on, and turns it on and off. */
export function SecondFactorSection({ methods }: { methods: SignInMethods }) {
  // Null until the drawer is first opened: its code is loaded then.
  const [enrolling, setEnrolling] = useState<boolean | null>(null);
  const [disabling, setDisabling] = useState(false);
  const client = useQueryClient();
  const reload = () => client.invalidateQueries({ queryKey: signInMethodsQuery.queryKey });
  const isOn = methods.second_factor !== null;
  return (
    <SettingsSection title="Second factor" description="A code from an app at each sign-in.">
      <Items>
        <Item
          icon="shieldLock"
          name="Authenticator app"
          tag={isOn ? <Tag meaning="ok">On</Tag> : <Tag>Off</Tag>}
          note={
            isOn ? 'Six digits that change every 30 seconds.' : 'Protects the account if its password leaks.'
          }
        >
          {isOn ? (
            <Button variant="default" color="red" onClick={() => setDisabling(true)}>
              Turn off
            </Button>
          ) : (
            <Button variant="default" onClick={() => setEnrolling(true)}>
              Set up
            </Button>
          )}
        </Item>
        {methods.second_factor && (
          <RecoveryCodesItem methods={methods} left={methods.second_factor.recovery_codes_left} />
        )}
      </Items>
      {enrolling !== null && (
        <Suspense>
          <EnrollDrawer
            opened={enrolling}
            methods={methods}
            onClose={() => setEnrolling(false)}
            onEnabled={() => {
              void reload();
              void client.invalidateQueries({ queryKey: devicesQuery.queryKey });
            }}
          />
        </Suspense>
      )}
      <ProofModal
        opened={disabling}
        onClose={() => setDisabling(false)}
        title="Turn the second factor off?"
        action="Turn off"
        isDangerous
        methods={methods}
        onConfirm={async (proof: Proof) => {
          await request('DELETE /account/second-factor', { body: proof });
          await reload();
          notifications.show({ title: 'The second factor is off', message: 'Its codes no longer work.' });
        }}
      >
        The app and the recovery codes stop working. Signing in then takes the password alone.
      </ProofModal>
    </SettingsSection>
  );
}

function RecoveryCodesItem({ methods, left }: { methods: SignInMethods; left: number }) {
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const [codes, setCodes] = useState<string[] | null>(null);
  const [showing, setShowing] = useState(false);
  return (
    <>
      <Item
        icon="key"
        name="Recovery codes"
        tag={left <= FEW_CODES && <Tag meaning="warn">{left === 0 ? 'None left' : 'Few left'}</Tag>}
        note={`${formatCount(left, 'code')} left. Each works once.`}
      >
        <Button variant="default" onClick={() => setAsking(true)}>
          Make new ones
        </Button>
      </Item>
      <ProofModal
        opened={asking}
        onClose={() => setAsking(false)}
        title="Make new recovery codes?"
        action="Make new codes"
        methods={methods}
        onConfirm={async (proof: Proof) => {
          const made = await request('POST /account/second-factor/recovery-codes', { body: proof });
          setCodes(made.recovery_codes);
          setShowing(true);
          await client.invalidateQueries({ queryKey: signInMethodsQuery.queryKey });
        }}
      >
        The codes that you have now stop working.
      </ProofModal>
      {codes && (
        <Suspense>
          <CodesDrawer opened={showing} codes={codes} onClose={() => setShowing(false)} />
        </Suspense>
      )}
    </>
  );
}
