/** A form that is handled in the page and focuses its first invalid field. */
import { type CSSProperties, type FormEvent, type ReactNode, useEffect, useRef } from 'react';

/**
 * Calls `onSubmit`. Focuses the first invalid field when the page or the service reports errors; `busy` is
 * true until the service has responded. Meanwhile the submit button is loading and so disabled, and the
 * browser does not submit the form again.
 */
export function Form({
  busy = false,
  onSubmit,
  style,
  className,
  children,
}: {
  busy?: boolean;
  onSubmit: () => void;
  style?: CSSProperties;
  className?: string | undefined;
  children: ReactNode;
}) {
  const form = useRef<HTMLFormElement>(null);
  const validating = useRef(false);
  useEffect(() => {
    const invalid =
      validating.current && !busy && form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (!invalid) return;
    validating.current = false;
    invalid.focus();
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    validating.current = true;
    onSubmit();
  };
  // The focus stays where the user types.
  const keepFocus = () => {
    validating.current = false;
  };
  return (
    <form ref={form} noValidate onSubmit={submit} onInput={keepFocus} style={style} className={className}>
      {children}
    </form>
  );
}
