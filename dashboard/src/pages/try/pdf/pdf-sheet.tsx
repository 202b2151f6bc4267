/** One page of a PDF, drawn while it is near the visible part: canvases take much memory. */
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.min.mjs';
import { type RefObject, useEffect, useRef, useState } from 'react';
import classes from './workbench.module.css';

// Sharp on most screens. The canvas is scaled to the available width.
const CSS_WIDTH_PX = 720;

/** Shows the page `number`. `ratio` is its height in widths until it is drawn. */
export function PdfSheet({ file, number, ratio }: { file: PDFDocumentProxy; number: number; ratio: number }) {
  const figure = useRef<HTMLElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const isNear = useIsNear(figure);
  const [drawn, setDrawn] = useState<number | null>(null);
  useEffect(() => {
    if (!isNear) return undefined;
    let cancel = () => {};
    let current = true;
    const draw = async () => {
      const page = await file.getPage(number);
      if (!current || canvas.current === null) return;
      const size = page.getViewport({ scale: 1 });
      const scale = (CSS_WIDTH_PX * Math.min(2, window.devicePixelRatio)) / size.width;
      const viewport = page.getViewport({ scale });
      canvas.current.width = Math.round(viewport.width);
      canvas.current.height = Math.round(viewport.height);
      const task = page.render({ canvas: canvas.current, viewport });
      cancel = () => task.cancel();
      await task.promise;
      if (current) setDrawn(size.height / size.width);
    };
    // Unmounting cancels the render, which rejects.
    draw().catch(() => {});
    const element = canvas.current;
    return () => {
      current = false;
      cancel();
      if (element) element.width = 0;
      setDrawn(null);
    };
  }, [file, number, isNear]);
  return (
    <figure ref={figure} className={classes.sheet} style={{ aspectRatio: 1 / (drawn ?? ratio) }}>
      <canvas
        ref={canvas}
        role="img"
        aria-label={`Page ${number} of ${file.numPages}`}
        data-rendered={drawn !== null || undefined}
      />
    </figure>
  );
}

/** Returns whether the element is within a screen of the visible part. */
function useIsNear(element: RefObject<HTMLElement | null>): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (!element.current) return undefined;
    const observer = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting ?? false), {
      rootMargin: '800px 0px',
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isNear;
}
