/** A form that never leaves the page and leads to what is wrong with it. */
import { type CSSProperties, type FormEvent, type ReactNode, useEffect, useRef } from 'react';

/** Calls `onSubmit`; once it is judged, here or by the service (`busy` is false again), the first field that is wrong has the focus. */
export function Form({
  busy = false,
  onSubmit,
  style,
  children,
}: {
  busy?: boolean;
  onSubmit: () => void;
  style?: CSSProperties;
  children: ReactNode;
}) {
  const form = useRef<HTMLFormElement>(null);
  const judging = useRef(false);
  useEffect(() => {
    const wrong =
      judging.current && !busy && form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (!wrong) return;
    judging.current = false;
    wrong.focus();
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    judging.current = true;
    onSubmit();
  };
  // Who goes on typing is not led away any more.
  const goOn = () => {
    judging.current = false;
  };
  return (
    <form ref={form} noValidate onSubmit={submit} onInput={goOn} style={style}>
      {children}
    </form>
  );
}
