/** The one large highlighted area of a page: a secret that is shown only once. */
import { Button } from '@mantine/core';
import { CopyButton } from '../../components/copy-button.tsx';
import { Icon } from '../../components/icon.tsx';
import { KEY_VARIABLE } from '../../components/snippets.ts';
import classes from './keys.module.css';

/** Shows the secret with buttons that copy it and save it as a file of environment variables. */
export function SecretBlock({ name, secret }: { name: string; secret: string }) {
  return (
    <div className={classes.secret}>
      <p>
        <strong>{name}</strong>. Copy it now: it is not shown again.
      </p>
      <code data-testid="key-secret">{secret}</code>
      <div className={classes.secretButtons}>
        <CopyButton text={secret} label="Copy key" />
        <Button
          variant="default"
          leftSection={<Icon name="download" size={16} />}
          onClick={() => saveFile('.env', `${KEY_VARIABLE}=${secret}\n`)}
        >
          Save as .env
        </Button>
      </div>
    </div>
  );
}

/** Downloads text as a file. Nothing is sent. */
function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
