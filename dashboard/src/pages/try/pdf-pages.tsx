/**
 * Renders a PDF with pdf.js: it looks the same in every browser and needs no plug-in in the
 * Content-Security-Policy. A separate file, so that pdf.js is loaded only when needed.
 */
import { Alert, Button, Loader, Stack, Text } from '@mantine/core';
import { getDocument, GlobalWorkerOptions, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.min.mjs';
// oxlint-disable-next-line import/default
import workerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url';
import { useEffect, useRef, useState } from 'react';

GlobalWorkerOptions.workerSrc = workerUrl;

const PAGES_AT_ONCE = 5;

/** Shows the pages of `data`, five at a time. Another document needs another `key`. */
export function PdfPages({ data }: { data: ArrayBuffer }) {
  const [file, setFile] = useState<PDFDocumentProxy | null>(null);
  const [failed, setFailed] = useState(false);
  const [shown, setShown] = useState(PAGES_AT_ONCE);
  useEffect(() => {
    // pdf.js transfers the bytes to its worker, so it gets a copy.
    const loading = getDocument({ data: new Uint8Array(data.slice(0)), useWasm: false, enableXfa: false });
    let current = true;
    loading.promise.then(
      (document) => current && setFile(document),
      () => current && setFailed(true),
    );
    return () => {
      current = false;
      void loading.destroy();
    };
  }, [data]);
  if (failed) {
    return (
      <Alert color="orange">
        <Text size="sm">The pages could not be rendered in this browser. Download the PDF to view it.</Text>
      </Alert>
    );
  }
  if (file === null) return <Loader aria-label="Rendering the pages" />;
  const count = Math.min(shown, file.numPages);
  return (
    <Stack gap="md" align="stretch" data-testid="pdf-pages">
      {Array.from({ length: count }, (_, index) => (
        <PdfPage key={index} file={file} number={index + 1} />
      ))}
      {count < file.numPages && (
        <Button variant="default" onClick={() => setShown(shown + PAGES_AT_ONCE)}>
          Show more pages ({count} of {file.numPages})
        </Button>
      )}
    </Stack>
  );
}

// Sharp on most screens. The canvas is scaled to the available width.
const CSS_WIDTH_PX = 720;

function PdfPage({ file, number }: { file: PDFDocumentProxy; number: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [rendered, setRendered] = useState(false);
  useEffect(() => {
    let cancel = () => {};
    let current = true;
    const draw = async () => {
      const page = await file.getPage(number);
      if (!current || canvas.current === null) return;
      const scale =
        (CSS_WIDTH_PX * Math.min(2, window.devicePixelRatio)) / page.getViewport({ scale: 1 }).width;
      const viewport = page.getViewport({ scale });
      canvas.current.width = Math.round(viewport.width);
      canvas.current.height = Math.round(viewport.height);
      const task = page.render({ canvas: canvas.current, viewport });
      cancel = () => task.cancel();
      await task.promise;
      if (current) setRendered(true);
    };
    // Unmounting cancels the render, which rejects.
    draw().catch(() => {});
    return () => {
      current = false;
      cancel();
    };
  }, [file, number]);
  return (
    <figure style={{ margin: 0 }}>
      <canvas
        ref={canvas}
        role="img"
        aria-label={`Page ${number} of ${file.numPages}`}
        data-rendered={rendered || undefined}
        style={{
          width: '100%',
          height: 'auto',
          background: '#fff',
          border: '1px solid var(--ua-line)',
          borderRadius: 4,
        }}
      />
      <Text component="figcaption" size="xs" c="dimmed" ta="center">
        Page {number} of {file.numPages}
      </Text>
    </figure>
  );
}
