/** Text that is shown only once. */
import { Code, type CodeProps } from '@mantine/core';

/** Shows all of the text: long lines are wrapped. */
export function SecretText(props: CodeProps & { children: string; 'data-testid'?: string }) {
  return (
    <Code block fz="sm" p="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }} {...props} />
  );
}
