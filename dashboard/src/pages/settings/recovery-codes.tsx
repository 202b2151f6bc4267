/** Recovery codes, which the service shows only once. */
import { Alert, Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useAccount } from '../../api/session.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { DrawerBody, DrawerFooter, SideDrawer } from '../../components/drawer-form.tsx';
import { Icon } from '../../components/icon.tsx';
import classes from './recovery-codes.module.css';

/** Shows new codes in a drawer of their own. */
export function CodesDrawer({
  opened,
  codes,
  onClose,
}: {
  opened: boolean;
  codes: readonly string[];
  onClose: () => void;
}) {
  return (
    <SideDrawer title="New recovery codes" opened={opened} locked onClose={onClose}>
      <RecoveryCodes codes={codes} onDone={onClose} />
    </SideDrawer>
  );
}

/** Shows the codes with buttons that copy and download them. `children` are the first sentence. */
export function RecoveryCodes({
  codes,
  onDone,
  children,
}: {
  codes: readonly string[];
  onDone: () => void;
  children?: ReactNode;
}) {
  const { email } = useAccount();
  const text = `${codes.join('\n')}\n`;
  const download = () =>
    saveText(
      'recovery-codes.txt',
      `Utility API, ${location.host}, ${email}\n\n${text}\nEach code works once.\n`,
    );
  return (
    <>
      <DrawerBody>
        {children !== undefined && (
          <Text size="sm" role="status">
            {children}
          </Text>
        )}
        <Text size="sm">
          Keep these codes where you find them without your phone, such as in a password manager. Each
          replaces one code of the app.
        </Text>
        <Alert color="orange" icon={<Icon name="alertTriangle" size={16} />} py="xs">
          <Text size="sm">They are shown only now.</Text>
        </Alert>
        <ul className={classes.codes} aria-label="Recovery codes">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <Group gap="xs">
          <CopyButton text={text} label="Copy codes" />
          <Button variant="default" leftSection={<Icon name="download" size={16} />} onClick={download}>
            Download
          </Button>
        </Group>
      </DrawerBody>
      <DrawerFooter>
        <Button variant="default" onClick={onDone}>
          I have saved them
        </Button>
      </DrawerFooter>
    </>
  );
}

function saveText(fileName: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}
