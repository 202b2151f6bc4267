/** The search field of a list. */
import { Kbd, TextInput } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useRef } from 'react';
import { Icon } from './icon.tsx';

/** Shows a search field. The key "/" focuses it, unless the user is typing elsewhere. */
export function SearchField({
  label,
  placeholder,
  value,
  onChange,
  mono = false,
  width = '19rem',
}: {
  /** For screen readers. */
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
  mono?: boolean;
  width?: string;
}) {
  const field = useRef<HTMLInputElement>(null);
  useWindowEvent('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event.target) || document.querySelector('[role="dialog"]') !== null) return;
    event.preventDefault();
    field.current?.focus();
  });
  return (
    <TextInput
      ref={field}
      type="search"
      aria-label={label}
      placeholder={placeholder}
      leftSection={<Icon name="search" size={16} />}
      rightSection={value === '' && <Kbd size="xs">/</Kbd>}
      rightSectionPointerEvents="none"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      spellCheck={false}
      autoComplete="off"
      w={{ base: '100%', sm: width }}
      {...(mono && { ff: 'monospace' })}
    />
  );
}

/** Returns whether keys go into this element. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
