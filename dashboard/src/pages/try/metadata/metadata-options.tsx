/** The options of getMetadata. */
import { NumberInput, Select, TextInput } from '@mantine/core';
import { Disclosure } from '../../../components/disclosure.tsx';
import { ParameterSwitch } from '../ask-bar.tsx';
import shared from '../try.module.css';
import classes from './options.module.css';

/** The defaults of the service. */
export const METADATA_DEFAULTS = {
  follow_redirects: true,
  details: false,
  probe: false,
  oembed: false,
  timeout: 10_000,
  render: 'false',
  user_agent: 'bot',
  language: '',
  max_age: 0,
};
type Defaults = typeof METADATA_DEFAULTS;

/** The options. A number is text while it is typed. */
export type MetadataOptions = {
  [Name in keyof Defaults]: Defaults[Name] extends number ? number | string : Defaults[Name];
};

/** The options that the service refuses without `details`. */
const NEED_DETAILS = ['probe', 'oembed'] as const;

/** Returns the options without those that need `details`, if it is off. */
export function dropUnusable(options: MetadataOptions): Partial<MetadataOptions> {
  const entries = Object.entries(options).filter(
    ([name]) => options.details || !NEED_DETAILS.some((one) => one === name),
  );
  return Object.fromEntries(entries);
}

/** Shows the switches in a line; a button shows the other options. */
export function MetadataOptionFields({
  options,
  set,
}: {
  options: MetadataOptions;
  set: (change: Partial<MetadataOptions>) => void;
}) {
  const needsDetails = options.details ? undefined : 'Turn on details first';
  return (
    <>
      <div className={shared.options}>
        <ParameterSwitch
          name="follow_redirects"
          title="Follow at most ten redirects"
          checked={options.follow_redirects}
          onChange={(value) => set({ follow_redirects: value })}
        />
        <ParameterSwitch
          name="details"
          title="Add the response, authors, dates, all images and icons, feeds, tags and JSON-LD"
          checked={options.details}
          onChange={(value) => set({ details: value })}
        />
        <ParameterSwitch
          name="probe"
          title="Check and measure favicon and image"
          checked={options.probe}
          reason={needsDetails}
          onChange={(value) => set({ probe: value })}
        />
        <ParameterSwitch
          name="oembed"
          title="Fetch the oEmbed response of the page"
          checked={options.oembed}
          reason={needsDetails}
          onChange={(value) => set({ oembed: value })}
        />
      </div>
      <div className={classes.more}>
        <Disclosure label="More options">
          <MoreOptions options={options} set={set} />
        </Disclosure>
      </div>
    </>
  );
}

function MoreOptions({
  options,
  set,
}: {
  options: MetadataOptions;
  set: (change: Partial<MetadataOptions>) => void;
}) {
  return (
    <div className={classes.fields}>
      <Select
        label="render"
        description="Run the page’s scripts first"
        data={['false', 'auto', 'true']}
        allowDeselect={false}
        value={options.render}
        onChange={(value) => set({ render: value ?? 'false' })}
      />
      <Select
        label="user_agent"
        description="The name given to the site"
        data={['bot', 'preview', 'browser']}
        allowDeselect={false}
        value={options.user_agent}
        onChange={(value) => set({ user_agent: value ?? 'bot' })}
      />
      <TextInput
        label="language"
        description="Languages to ask for"
        placeholder="de-CH, de;q=0.9"
        autoComplete="off"
        value={options.language}
        onChange={(event) => set({ language: event.currentTarget.value })}
      />
      <NumberInput
        label="timeout"
        description="1,000 to 30,000 ms"
        hideControls
        value={options.timeout}
        onChange={(value) => set({ timeout: value })}
      />
      <NumberInput
        label="max_age"
        description="Oldest cached result, in s"
        hideControls
        value={options.max_age}
        onChange={(value) => set({ max_age: value })}
      />
    </div>
  );
}
