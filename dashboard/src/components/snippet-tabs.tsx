/** A call as code in three languages. */
import { Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { CodeBlock } from './code-block.tsx';
import { CodeWell } from './code-well.tsx';
import {
  type Call,
  formatExportLine,
  formatSnippet,
  INSTALL_COMMANDS,
  KEY_VARIABLE,
  SNIPPET_LANGUAGES,
  type SnippetLanguage,
} from './snippets.ts';

/**
 * Shows `call` as code. With `secret`, a line sets the key. `actions` are right of the tabs.
 */
export function SnippetTabs({
  call,
  secret,
  actions,
}: {
  call: Call;
  secret?: string | undefined;
  actions?: ReactNode;
}) {
  const [language, setLanguage] = useState<SnippetLanguage>('curl');
  const install = INSTALL_COMMANDS[language];
  return (
    <Stack gap="xs" align="stretch">
      {secret !== undefined && (
        <CodeBlock code={formatExportLine(secret)} label="the line that sets the key" wrap />
      )}
      <CodeWell
        label="Language"
        value={language}
        onChange={(value) => setLanguage(value as SnippetLanguage)}
        tabs={SNIPPET_LANGUAGES.map(({ value, label }) => ({
          value,
          label,
          code: formatSnippet(value, call, window.location.origin),
        }))}
        actions={actions}
      />
      <Text size="xs" c="dimmed">
        {install !== undefined && (
          <>
            <code>{install}</code>.{' '}
          </>
        )}
        Call the API from a server, not from a web page. The key is read from <code>{KEY_VARIABLE}</code>.
      </Text>
    </Stack>
  );
}
