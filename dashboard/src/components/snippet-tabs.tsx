/** A call in the three languages. */
import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { CodeBlock } from './code-block.tsx';
import {
  type Call,
  exportLine,
  KEY_VARIABLE,
  SNIPPET_LANGUAGES,
  snippet,
  type SnippetLanguage,
} from './snippets.ts';

/** Shows `call`; with `secret` the line that sets the key holds it, without one it is left to fill in. */
export function SnippetTabs({
  call,
  secret,
  withKeyLine = true,
}: {
  call: Call;
  secret?: string;
  withKeyLine?: boolean;
}) {
  const [language, setLanguage] = useState<SnippetLanguage>('curl');
  const code = snippet(language, call, window.location.origin);
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
      {withKeyLine && (
        <CodeBlock
          code={exportLine(secret ?? '<your key>')}
          label="the line that sets the key"
          wrap={secret !== undefined}
        />
      )}
      <CodeBlock code={code} label={`the call in ${language}`} />
      <Text size="xs" c="dimmed">
        Call it from a server, never from a web page: the key is read from {KEY_VARIABLE}.
      </Text>
    </Stack>
  );
}
