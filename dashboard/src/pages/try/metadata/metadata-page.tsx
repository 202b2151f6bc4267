/** The page that reads the metadata of a page. */
import { Tabs } from '@mantine/core';
import { useState } from 'react';
import type { Key } from '../../../api/types.ts';
import { OPTION_CONTROLS } from '../../../api/option-controls.gen.ts';
import { FormError } from '../../../components/page-states.tsx';
import { AskBar } from '../ask-bar.tsx';
import { CallProblem } from '../call-problem.tsx';
import { CallStatus, LimitShare, RequestLink } from '../call-summary.tsx';
import { CallTabs } from '../call-tabs.tsx';
import { MoreOptionFields, OptionSwitches } from '../option-controls.tsx';
import { dropUnusable, getDefaults, type OptionValues } from '../option-values.ts';
import { TryPage } from '../try-page.tsx';
import classes from '../try.module.css';
import { type CallState, parseResult, pickChangedMembers, useCall } from '../use-call.ts';
import { FieldTable } from './field-table.tsx';
import { LinkPreviews } from './link-previews.tsx';
import { describePreview, type MetadataResult } from './metadata-result.ts';

const CONTROLS = OPTION_CONTROLS.getMetadata;
const DEFAULTS = getDefaults(CONTROLS);

/** Shows the form, the previews and the fields. */
export function TryMetadataPage() {
  return (
    <TryPage operation="getMetadata" title="URL metadata">
      {(key) => <MetadataCheck key={key.id} apiKey={key} />}
    </TryPage>
  );
}

function MetadataCheck({ apiKey }: { apiKey: Key }) {
  const call = useCall('getMetadata', apiKey.id);
  const [url, setUrl] = useState('https://example.com/');
  // The redirects and the sources of the fields are in the details.
  const [options, setOptions] = useState<OptionValues>({ ...DEFAULTS, details: true });
  const props = {
    controls: CONTROLS,
    values: options,
    set: (change: OptionValues) => setOptions((last) => ({ ...last, ...change })),
  };
  return (
    <>
      <AskBar
        label="URL"
        value={url}
        inputMode="url"
        button="Read"
        busy={call.isPending}
        onChange={setUrl}
        onSubmit={() => call.send({ url, ...pickChangedMembers(dropUnusable(CONTROLS, options), DEFAULTS) })}
      >
        <div className={classes.options}>
          <OptionSwitches {...props} />
        </div>
        <MoreOptionFields {...props} />
      </AskBar>
      <div className={classes.answer} data-equal aria-busy={call.isPending}>
        <MetadataAnswer call={call} />
      </div>
    </>
  );
}

function MetadataAnswer({ call: { done, error } }: { call: CallState }) {
  if (error !== null) return <FormError error={error} />;
  if (done === null)
    return (
      <div className={classes.waiting}>
        <h2>The link’s previews appear here</h2>
        <p>With the fields, their tags, the redirects, and the response as JSON.</p>
      </div>
    );
  const { call, response } = done;
  const result = parseResult(response) as MetadataResult | null;
  const raw = (
    <div className={classes.raw}>
      <CallTabs call={call} response={response} />
      <LimitShare response={response} />
    </div>
  );
  return (
    <>
      {result ? <LinkPreviews preview={describePreview(result)} /> : <CallProblem response={response} />}
      <section className={classes.raw} aria-label="Response">
        <div className={classes.meta}>
          <CallStatus response={response} />
          <RequestLink response={response} />
        </div>
        {result ? (
          <Tabs defaultValue="fields" keepMounted={false}>
            <Tabs.List mb="md">
              <Tabs.Tab value="fields">Fields</Tabs.Tab>
              <Tabs.Tab value="raw">Response and code</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="fields">
              <FieldTable result={result} />
            </Tabs.Panel>
            <Tabs.Panel value="raw">{raw}</Tabs.Panel>
          </Tabs>
        ) : (
          raw
        )}
      </section>
    </>
  );
}
