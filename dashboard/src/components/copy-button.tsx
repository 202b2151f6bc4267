/** Buttons that copy text to the clipboard and say in words whether it worked. */
import { ActionIcon, Button, Tooltip, VisuallyHidden } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Icon } from './icon.tsx';

const SHOWN_MS = 2000;

/** Returns a function that copies text. `outcome` is the result of the last call, for two seconds. */
function useCopy(): { copy: (text: string) => void; outcome: 'copied' | 'failed' | null } {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null);
  useEffect(() => {
    if (outcome === null) return undefined;
    const timer = setTimeout(() => setOutcome(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = (text: string) => {
    void writeClipboard(text).then((done) => setOutcome(done ? 'copied' : 'failed'));
  };
  return { copy, outcome };
}

// The asynchronous clipboard exists only on https and localhost. On plain http, execCommand still works.
async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.setAttribute('aria-hidden', 'true');
    area.style.position = 'fixed';
    area.style.opacity = '0';
    // An open dialog's focus trap allows selection only inside it.
    const host = document.querySelector('[role="dialog"]') ?? document.body;
    host.append(area);
    const focused = document.activeElement;
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
    return done;
  }
}

const LABELS = { copied: 'Copied', failed: 'Select the text and copy it' } as const;

/** Shows a small button that copies `text`. Its label is "Copy" and `what`, like "Copy the request ID". */
export function CopyIcon({ text, what }: { text: string; what: string }) {
  const { copy, outcome } = useCopy();
  const label = outcome ? LABELS[outcome] : `Copy ${what}`;
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color={outcome === 'copied' ? 'green' : 'gray'}
        size="md"
        aria-label={label}
        onClick={() => copy(text)}
      >
        <Icon name={outcome === 'copied' ? 'check' : 'copy'} size={15} />
      </ActionIcon>
    </Tooltip>
  );
}

/** Shows a button with a text label that copies `text`. */
export function CopyButton({
  text,
  label = 'Copy',
  variant = 'filled',
}: {
  text: string;
  label?: string;
  variant?: 'filled' | 'default';
}) {
  const { copy, outcome } = useCopy();
  return (
    <>
      <Button
        variant={outcome === 'copied' ? 'light' : variant}
        color={outcome === 'copied' ? 'green' : 'ink'}
        leftSection={<Icon name={outcome === 'copied' ? 'check' : 'copy'} size={16} />}
        onClick={() => copy(text)}
      >
        {outcome ? LABELS[outcome] : label}
      </Button>
      <VisuallyHidden role="status">{outcome ? LABELS[outcome] : ''}</VisuallyHidden>
    </>
  );
}

/** Shows a small button with `label` that copies `text`: one of a group "Copy as". */
export function CopySnippet({ text, label }: { text: string; label: string }) {
  const { copy, outcome } = useCopy();
  return (
    <>
      <Button variant="subtle" size="compact-sm" onClick={() => copy(text)}>
        {outcome === 'copied' ? 'Copied' : label}
      </Button>
      <VisuallyHidden role="status">{outcome ? LABELS[outcome] : ''}</VisuallyHidden>
    </>
  );
}
