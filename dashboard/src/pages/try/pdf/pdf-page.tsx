/** The workbench for PDFs: the document and its options beside the rendered pages. */
import { Button, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import type { Key } from '../../../api/types.ts';
import { Icon } from '../../../components/icon.tsx';
import { TryPage } from '../try-page.tsx';
import { useCall } from '../use-call.ts';
import { DocumentEditor } from './document-editor.tsx';
import { OptionFields } from './option-fields.tsx';
import { EMPTY_EXAMPLE, PDF_EXAMPLES } from './examples/index.ts';
import type { PdfExample } from './examples/pdf-example.ts';
import { formatPdfMembers, getInitialValues, type PdfValues } from './pdf-options.ts';
import { ResultPane } from './result-pane.tsx';
import classes from './workbench.module.css';

/** The form id of the Render button, which is in the header of the page. */
const FORM_ID = 'pdf-workbench';

/** Shows the workbench. */
export function TryPdfPage() {
  return (
    <TryPage
      operation="generatePdf"
      title="HTML to PDF"
      actions={
        <Button
          type="submit"
          form={FORM_ID}
          title="Ctrl+Enter"
          leftSection={<Icon name="playerPlay" size={15} />}
        >
          Render
        </Button>
      }
    >
      {(key) => <Workbench key={key.id} apiKey={key} />}
    </TryPage>
  );
}

type View = 'document' | 'options' | 'pages';

function Workbench({ apiKey }: { apiKey: Key }) {
  const call = useCall('generatePdf', apiKey.id);
  const { example, values, choose, set } = useDocument();
  const [view, setView] = useState<View>('document');
  const [tab, setTab] = useState('html');
  const [markedLine, setMarkedLine] = useState<number | null>(null);
  const members = formatPdfMembers(values);
  const render = () => {
    setMarkedLine(null);
    setView('pages');
    call.send(members);
  };
  return (
    <form
      id={FORM_ID}
      className={`bleed ${classes.workbench ?? ''}`}
      data-view={view}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!call.isPending) render();
      }}
    >
      <SegmentedControl
        className={classes.views ?? ''}
        fullWidth
        aria-label="View"
        data={[
          { value: 'document', label: 'HTML' },
          { value: 'options', label: 'Options' },
          { value: 'pages', label: 'Pages' },
        ]}
        value={view}
        onChange={(value) => setView(value)}
      />
      <div className={classes.left}>
        <DocumentEditor
          values={values}
          tab={tab}
          example={example}
          markedLine={tab === 'html' ? markedLine : null}
          onTab={setTab}
          onExample={(name) => {
            choose(name);
            setMarkedLine(null);
          }}
          onText={(name, value) => set({ [name]: value })}
          onSubmit={() => !call.isPending && render()}
        />
        <OptionFields values={values} set={set} />
      </div>
      <ResultPane
        call={call}
        members={members}
        onLine={(line) => {
          setTab('html');
          setView('document');
          setMarkedLine(line);
        }}
      />
    </form>
  );
}

/** The document with its options. An example replaces both. */
function useDocument() {
  const [first = EMPTY_EXAMPLE] = PDF_EXAMPLES;
  const [example, setExample] = useState<PdfExample>(first);
  const [values, setValues] = useState(() => fillValues(first));
  return {
    example: example.name,
    values,
    choose: (name: string) => {
      const next = PDF_EXAMPLES.find((one) => one.name === name) ?? EMPTY_EXAMPLE;
      setExample(next);
      setValues(fillValues(next));
    },
    set: (change: PdfValues) => setValues((last) => ({ ...last, ...change })),
  };
}

function fillValues({ texts, options }: PdfExample): PdfValues {
  return { ...getInitialValues(), ...texts, ...options };
}
