/**
 * Renders a PDF with pdf.js: it looks the same in every browser and needs no plug-in in the
 * Content-Security-Policy. A separate file, so that pdf.js is loaded only when needed.
 */
import { ActionIcon, Alert, Loader, Text } from '@mantine/core';
import { getDocument, GlobalWorkerOptions, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.min.mjs';
// oxlint-disable-next-line import/default
import workerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { formatNumber } from '../../../components/format.ts';
import { Icon } from '../../../components/icon.tsx';
import { PdfSheet } from './pdf-sheet.tsx';
import classes from './workbench.module.css';

GlobalWorkerOptions.workerSrc = workerUrl;

/** A loaded document, and the height of its first page in widths. */
interface Loaded {
  file: PDFDocumentProxy;
  ratio: number;
}

/** Shows the pages of `data`, which `password` opens. The last document stays until the next is loaded. */
export function PdfPages({ data, password }: { data: ArrayBuffer; password: string | undefined }) {
  const { loaded, failed } = useDocument(data, password);
  const scroller = useRef<HTMLDivElement>(null);
  if (failed)
    return (
      <Alert color="orange" m="md">
        <Text size="sm">The pages could not be rendered in this browser. Download the PDF to view it.</Text>
      </Alert>
    );
  if (loaded === null)
    return (
      <div className={classes.pages}>
        <Loader aria-label="Rendering the pages" />
      </div>
    );
  const { file, ratio } = loaded;
  return (
    <>
      <PageSwitch scroller={scroller} count={file.numPages} />
      <div
        ref={scroller}
        className={classes.pages}
        data-testid="pdf-pages"
        role="region"
        aria-label="Pages"
        // A scrollable region must be focusable (axe: scrollable-region-focusable).
        tabIndex={0}
      >
        {Array.from({ length: file.numPages }, (_, index) => (
          <PdfSheet key={`${file.fingerprints[0]} ${index}`} file={file} number={index + 1} ratio={ratio} />
        ))}
      </div>
    </>
  );
}

function useDocument(
  data: ArrayBuffer,
  password: string | undefined,
): { loaded: Loaded | null; failed: boolean } {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [failed, setFailed] = useState<ArrayBuffer | null>(null);
  useEffect(() => {
    // pdf.js transfers the bytes to its worker, so it gets a copy.
    const loading = getDocument({
      data: new Uint8Array(data.slice(0)),
      // As the service encrypts with it.
      ...(password !== undefined && { password: password.normalize('NFC') }),
      useWasm: false,
      enableXfa: false,
    });
    let current = true;
    const load = async () => {
      const file = await loading.promise;
      const { width, height } = (await file.getPage(1)).getViewport({ scale: 1 });
      if (current) setLoaded({ file, ratio: height / width });
    };
    load().catch(() => current && setFailed(data));
    return () => {
      current = false;
      void loading.destroy();
    };
  }, [data, password]);
  return { loaded, failed: failed === data };
}

/** Shows the number of the page in view, and buttons that scroll to the page before and after it. */
function PageSwitch({ scroller, count }: { scroller: RefObject<HTMLElement | null>; count: number }) {
  const [page, setPage] = useState(1);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const measure = () => {
      const middle = element.scrollTop + element.clientHeight / 3;
      const sheets = [...element.children] as HTMLElement[];
      const index = sheets.findLastIndex((sheet) => sheet.offsetTop - element.offsetTop <= middle);
      setPage(Math.max(1, Math.min(count, index + 1)));
    };
    measure();
    element.addEventListener('scroll', measure, { passive: true });
    return () => element.removeEventListener('scroll', measure);
  }, [scroller, count]);
  const go = (to: number) => {
    scroller.current?.children[to - 1]?.scrollIntoView({ block: 'start' });
    setPage(to);
  };
  return (
    <div className={classes.switch}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label="Previous page"
        disabled={page <= 1}
        onClick={() => go(page - 1)}
      >
        <Icon name="chevronLeft" size={16} />
      </ActionIcon>
      <span className="tabular nowrap">
        {formatNumber(page)} of {formatNumber(count)}
      </span>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label="Next page"
        disabled={page >= count}
        onClick={() => go(page + 1)}
      >
        <Icon name="chevronRight" size={16} />
      </ActionIcon>
    </div>
  );
}
