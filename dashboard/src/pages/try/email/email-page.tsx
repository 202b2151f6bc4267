/** The page that validates an address, or a list of them. */
import { useState } from 'react';
import { FormError } from '../../../components/page-states.tsx';
import type { Key } from '../../../api/types.ts';
import { OPTION_CONTROLS } from '../../../api/option-controls.gen.ts';
import { AskBar, Examples } from '../ask-bar.tsx';
import { CallProblem } from '../call-problem.tsx';
import { CallStatus, LimitShare, RequestLink } from '../call-summary.tsx';
import { CallTabs } from '../call-tabs.tsx';
import { MoreOptionFields, OptionSwitches } from '../option-controls.tsx';
import { dropUnusable, getDefaults, type OptionValues } from '../option-values.ts';
import { TryPage } from '../try-page.tsx';
import classes from '../try.module.css';
import { type CallState, parseResult, pickChangedMembers, useCall } from '../use-call.ts';
import type { EmailResult } from './email-result.ts';
import { EmailVerdict } from './email-verdict.tsx';
import { ListSection } from './list-section.tsx';

const EXAMPLES = ['hello@mailinator.com', '"a b"@example.org', 'müller@bücher.de'];

const CONTROLS = OPTION_CONTROLS.validateEmail;
const DEFAULTS = getDefaults(CONTROLS);

/** Shows the form, the verdict, and the check of a list. */
export function TryEmailPage() {
  return (
    <TryPage operation="validateEmail" title="Email validation">
      {(key) => <EmailCheck key={key.id} apiKey={key} />}
    </TryPage>
  );
}

function EmailCheck({ apiKey }: { apiKey: Key }) {
  const call = useCall('validateEmail', apiKey.id);
  return (
    <>
      <EmailForm call={call} />
      <div className={classes.answer} aria-busy={call.isPending}>
        <EmailAnswer call={call} />
      </div>
      <ListSection apiKey={apiKey} />
    </>
  );
}

function EmailForm({ call }: { call: CallState }) {
  const [email, setEmail] = useState('ann@gmial.com');
  // The verdict needs the details.
  const [options, setOptions] = useState<OptionValues>({ ...DEFAULTS, details: true });
  const props = {
    controls: CONTROLS,
    values: options,
    set: (change: OptionValues) => setOptions((last) => ({ ...last, ...change })),
  };
  const send = (address: string) =>
    call.send({ email: address, ...pickChangedMembers(dropUnusable(CONTROLS, options), DEFAULTS) });
  return (
    <AskBar
      label="Email address"
      value={email}
      inputMode="email"
      button="Validate"
      busy={call.isPending}
      onChange={setEmail}
      onSubmit={() => send(email)}
    >
      <div className={classes.options}>
        <OptionSwitches {...props} />
        <Examples
          values={EXAMPLES}
          onChoose={(value) => {
            setEmail(value);
            send(value);
          }}
        />
      </div>
      <MoreOptionFields {...props} />
    </AskBar>
  );
}

function EmailAnswer({ call: { done, error } }: { call: CallState }) {
  if (error !== null) return <FormError error={error} />;
  if (done === null)
    return (
      <div className={classes.waiting}>
        <h2>The verdict appears here</h2>
        <p>
          With its reasons, a correction of a typo, and the response as JSON. Nothing is sent to the address.
        </p>
      </div>
    );
  const result = parseResult(done.response) as EmailResult | null;
  return (
    <>
      {result ? <EmailVerdict result={result} /> : <CallProblem response={done.response} />}
      <section className={classes.raw} aria-label="Response">
        <div className={classes.meta}>
          <CallStatus response={done.response} />
          <RequestLink response={done.response} />
        </div>
        <CallTabs call={done.call} response={done.response} />
        <LimitShare response={done.response} />
      </section>
    </>
  );
}
