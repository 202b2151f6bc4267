/** The three examples: recorded requests and responses of this service (scripts/record-front-door.ts). */
import { type ReactNode, useId } from 'react';
import { CorrectedText } from '../../components/corrected-text.tsx';
import { formatBytes, formatDuration } from '../../components/format.ts';
import { Icon } from '../../components/icon.tsx';
import classes from './examples.module.css';
import cover from './recorded/cover.webp';
import recorded from './recorded/examples.json';
import firstPage from './recorded/page-1.webp';
import secondPage from './recorded/page-2.webp';

/** Shows the examples side by side. */
export function Examples() {
  return (
    <div className={classes.examples}>
      <EmailExample />
      <MetadataExample />
      <PdfExample />
    </div>
  );
}

function Example({
  title,
  of: { method, path, input },
  result,
  note,
  children,
}: {
  title: string;
  of: { method: string; path: string; input: string };
  /** The response in one line: "200 in 5 ms". */
  result: string;
  note: string;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={classes.example} aria-labelledby={id}>
      <div className={classes.head}>
        <h2 id={id}>{title}</h2>
        <code>
          {method} {path}
        </code>
      </div>
      <code className={classes.input}>{input}</code>
      <div className={classes.out}>{children}</div>
      <div className={classes.foot}>
        <span>{result}</span>
        <span>{note}</span>
      </div>
    </section>
  );
}

function EmailExample() {
  const { email } = recorded;
  const { body } = email;
  return (
    <Example
      title="Check an address"
      of={email}
      result={`${email.status} in ${formatDuration(email.ms)}`}
      note="Nothing is sent to the address"
    >
      <p>Did you mean</p>
      <p className={classes.corrected}>
        <CorrectedText text={body.did_you_mean} original={body.email} />
      </p>
      <ul className={classes.reasons}>
        {body.format_valid && <Reason text="The syntax is right" field="format_valid" />}
        {body.mx_found && <Reason text="The domain accepts mail" field="mx_found" />}
        {!body.disposable && <Reason text="Not a disposable provider" field="disposable" />}
        <Reason text="A likely misspelling" field="did_you_mean" warning />
      </ul>
    </Example>
  );
}

function Reason({ text, field, warning = false }: { text: string; field: string; warning?: boolean }) {
  return (
    <li data-warning={warning || undefined}>
      <Icon name={warning ? 'alertTriangle' : 'check'} size={16} />
      {text}
      <code>{field}</code>
    </li>
  );
}

function MetadataExample() {
  const { metadata } = recorded;
  const { og } = metadata.body;
  return (
    <Example
      title="Read a link"
      of={metadata}
      result={`${metadata.status} in ${formatDuration(metadata.ms)}`}
      note="Open Graph, Twitter, icons, language"
    >
      <div className={classes.card}>
        <img src={cover} width={800} height={420} alt="A wall of shelves" />
        <div>
          <span>{og.site_name}</span>
          <b>{og.title}</b>
          <p>{og.description}</p>
        </div>
      </div>
    </Example>
  );
}

function PdfExample() {
  const { pdf } = recorded;
  const { pages, bytes } = pdf.body;
  return (
    <Example
      title="Print a page"
      of={pdf}
      result={`${pdf.status} in ${formatDuration(pdf.ms)}`}
      note={`${pages} pages, ${formatBytes(bytes)}`}
    >
      <div className={classes.paper}>
        <img src={secondPage} width={460} height={650} alt="Page 2 of the PDF: terms" />
        <img src={firstPage} width={460} height={650} alt="Page 1 of the PDF: an invoice" />
      </div>
    </Example>
  );
}
