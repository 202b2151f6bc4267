/** Copying text to the clipboard, with its success said in words and not only in colour. */
import { ActionIcon, Button, Tooltip, VisuallyHidden } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Icon } from './icon.tsx';

const SHOWN_MS = 2000;

/** Copies text; `outcome` is what happened to the last try, for two seconds. */
export function useCopy(): { copy: (text: string) => void; outcome: 'copied' | 'refused' | null } {
  const [outcome, setOutcome] = useState<'copied' | 'refused' | null>(null);
  useEffect(() => {
    if (outcome === null) return undefined;
    const timer = setTimeout(() => setOutcome(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = (text: string) => {
    void writeClipboard(text).then((done) => setOutcome(done ? 'copied' : 'refused'));
  };
  return { copy, outcome };
}

// The asynchronous clipboard exists only on https and localhost; a service on a plain http address has the older way.
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
    // Inside an open dialog, so that its focus trap lets the text be selected.
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

const WORDS = { copied: 'Copied', refused: 'Select it and copy by hand' } as const;

/** A small button that copies `text`; `what` names it for screen readers ("Copy request id"). */
export function CopyIcon({ text, what }: { text: string; what: string }) {
  const { copy, outcome } = useCopy();
  const label = outcome ? WORDS[outcome] : `Copy ${what}`;
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

/** A full button that copies `text`. */
export function CopyButton({
  text,
  label = 'Copy',
  onCopied,
}: {
  text: string;
  label?: string;
  onCopied?: () => void;
}) {
  const { copy, outcome } = useCopy();
  return (
    <>
      <Button
        variant={outcome === 'copied' ? 'light' : 'filled'}
        color={outcome === 'copied' ? 'green' : 'brand'}
        leftSection={<Icon name={outcome === 'copied' ? 'check' : 'copy'} size={16} />}
        onClick={() => {
          copy(text);
          onCopied?.();
        }}
      >
        {outcome ? WORDS[outcome] : label}
      </Button>
      <VisuallyHidden role="status">{outcome ? WORDS[outcome] : ''}</VisuallyHidden>
    </>
  );
}
