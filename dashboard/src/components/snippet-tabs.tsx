/** A call as code in three languages. */
import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { CodeBlock } from './code-block.tsx';
import {
  type Call,
  formatExportLine,
  KEY_VARIABLE,
  SNIPPET_LANGUAGES,
  formatSnippet,
  type SnippetLanguage,
} from './snippets.ts';

/** Shows `call` as code. The line that sets the key contains `secret`, or a placeholder without one. */
export function SnippetTabs({ call, secret }: { call: Call; secret?: string }) {
  const [language, setLanguage] = useState<SnippetLanguage>('curl');
  const code = formatSnippet(language, call, window.location.origin);
  return (
    <Stack gap="xs" align="stretch">
      <SegmentedControl
        size="xs"
        aria-label="Language"
        data={[...SNIPPET_LANGUAGES]}
        value={language}
        onChange={(value) => setLanguage(value)}
        style={{ alignSelf: 'flex-start' }}
      />
      <CodeBlock
        code={formatExportLine(secret ?? '<your key>')}
        label="the line that sets the key"
        wrap={secret !== undefined}
      />
      <CodeBlock code={code} label={`the call in ${language}`} />
      <Text size="xs" c="dimmed">
        Call the API from a server, not from a web page. The key is read from {KEY_VARIABLE}.
      </Text>
    </Stack>
  );
}
