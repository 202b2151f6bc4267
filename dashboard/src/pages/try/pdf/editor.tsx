/**
 * An editor of code: a transparent textarea above the same text in color. Only the visible lines are in the
 * page, so that a large document stays fast.
 */
import { VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react';
import code from '../../../components/code-block.module.css';
import classes from './editor.module.css';
import { cutPieces, findLineStarts, tokenizeCss, tokenizeHtml } from './highlight-html.ts';
import { indentSelection } from './indent-selection.ts';

export type EditorLanguage = 'html' | 'css';

/** Longer text stays plain: to color it would take longer than a key press. */
const MAX_COLORED_CHARACTERS = 400_000;
/** Lines above and below the visible ones, for the time until a scroll is rendered. */
const MARGIN_LINES = 20;

/** Shows the text. `markedLine` is tinted, and scrolled into view when it changes. */
export function Editor({
  label,
  language,
  value,
  markedLine,
  onChange,
  onSubmit,
}: {
  label: string;
  language: EditorLanguage;
  value: string;
  markedLine?: number | null;
  onChange: (value: string) => void;
  /** Called by Ctrl+Enter or ⌘+Enter. */
  onSubmit: () => void;
}) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const { view, onScroll } = useView(area);
  const starts = useMemo(() => findLineStarts(value), [value]);
  const onKeyDown = useEditorKeys(onSubmit);
  const { lineHeight } = view;
  useEffect(() => {
    if (markedLine === null || markedLine === undefined || !area.current) return;
    area.current.scrollTop = Math.max(0, (markedLine - 4) * lineHeight);
  }, [markedLine, lineHeight]);
  const first = Math.max(0, Math.floor(view.top / view.lineHeight) - MARGIN_LINES);
  const last = Math.min(starts.length, Math.ceil((view.top + view.height) / view.lineHeight) + MARGIN_LINES);
  return (
    <div className={classes.editor}>
      <Lines
        text={value}
        language={language}
        starts={starts}
        range={[first, last]}
        offset={[view.left, view.top - first * view.lineHeight]}
        markedLine={markedLine ?? null}
      />
      <textarea
        ref={area}
        className={classes.area}
        aria-label={label}
        aria-describedby={id}
        wrap="off"
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="none"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        onScroll={(event) => onScroll(event.currentTarget)}
        onKeyDown={onKeyDown}
      />
      <VisuallyHidden id={id}>Tab indents. Press Escape, then Tab, to leave the editor.</VisuallyHidden>
    </div>
  );
}

/** The part of the textarea that is visible, in CSS pixels. */
interface View {
  left: number;
  top: number;
  height: number;
  lineHeight: number;
}

const LINE_PX = 21;

function measureView(area: HTMLTextAreaElement): View {
  const { scrollLeft: left, scrollTop: top, clientHeight: height } = area;
  return { left, top, height, lineHeight: Number.parseFloat(getComputedStyle(area).lineHeight) || LINE_PX };
}

/** Returns the visible part, and a function that measures it again after a scroll. */
function useView(area: RefObject<HTMLTextAreaElement | null>) {
  const [view, setView] = useState<View>({ left: 0, top: 0, height: 800, lineHeight: LINE_PX });
  useEffect(() => {
    const element = area.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setView(measureView(element)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [area]);
  return { view, onScroll: (element: HTMLTextAreaElement) => setView(measureView(element)) };
}

/** Tab indents, unless Escape was pressed before it: a keyboard must be able to leave. */
function useEditorKeys(onSubmit: () => void) {
  const leaves = useRef(false);
  return (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onSubmit();
    }
    const isPlain = !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.key === 'Tab' && isPlain && !leaves.current) {
      event.preventDefault();
      indentSelection(event.currentTarget);
    }
    leaves.current = event.key === 'Escape';
  };
}

function Lines({
  text,
  language,
  starts,
  range: [first, last],
  offset: [left, top],
  markedLine,
}: {
  text: string;
  language: EditorLanguage;
  starts: readonly number[];
  range: [number, number];
  offset: [number, number];
  markedLine: number | null;
}) {
  const tokens = useMemo(() => {
    if (text.length > MAX_COLORED_CHARACTERS) return [];
    return language === 'html' ? tokenizeHtml(text) : tokenizeCss(text);
  }, [text, language]);
  const lines = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index);
  return (
    <div className={classes.lines} aria-hidden="true">
      <div className={classes.numbers} style={{ transform: `translateY(${-top}px)` }}>
        {lines.map((line) => (
          <span key={line} data-marked={line + 1 === markedLine || undefined}>
            {line + 1}
          </span>
        ))}
      </div>
      <div className={classes.clip}>
        <pre className={classes.text} style={{ transform: `translate(${-left}px, ${-top}px)` }}>
          {lines.map((line) => {
            const end = (starts[line + 1] ?? text.length + 1) - 1;
            return (
              <span key={line} data-marked={line + 1 === markedLine || undefined}>
                {cutPieces(text, tokens, starts[line] ?? 0, end).map((piece) =>
                  piece.kind === null ? (
                    piece.text
                  ) : (
                    <i key={piece.start} className={code[piece.kind]}>
                      {piece.text}
                    </i>
                  ),
                )}
                {'\n'}
              </span>
            );
          })}
        </pre>
      </div>
    </div>
  );
}
