/** A form handled in the page: it focuses its first invalid field, and keeps the focus while it is busy. */
import { type CSSProperties, type FormEvent, type ReactNode, useEffect, useRef } from 'react';

/**
 * Calls `onSubmit`. Focuses the first invalid field when the page or the service reports errors; `busy` is
 * true until the service has responded. Meanwhile the submit button is loading and so disabled, and the
 * browser does not submit the form again; the focus that the button loses by it is restored.
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
  const focused = useRef<{ element: Element | null; isBusy: boolean }>({ element: null, isBusy: false });
  useEffect(() => {
    const invalid =
      validating.current && !busy && form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (!invalid) return;
    validating.current = false;
    invalid.focus();
  });
  useEffect(() => {
    const { element, isBusy } = focused.current;
    focused.current.isBusy = busy;
    const isLost = isBusy && !busy && document.activeElement === document.body;
    if (isLost && element instanceof HTMLElement) element.focus();
  }, [busy]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    focused.current.element = document.activeElement;
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
