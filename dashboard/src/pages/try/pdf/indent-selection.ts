/** Indentation in a textarea, which its undo history knows. */

const INDENT = '  ';

/** Indents the selected lines; without a selection over several lines, inserts the indent at the caret. */
export function indentSelection(area: HTMLTextAreaElement): void {
  const { selectionStart: start, selectionEnd: end, value } = area;
  if (!value.slice(start, end).includes('\n')) {
    insertText(area, INDENT);
    return;
  }
  const from = value.lastIndexOf('\n', start - 1) + 1;
  const indented = value.slice(from, end).replaceAll(/^(?=.)/gm, INDENT);
  area.setSelectionRange(from, end);
  insertText(area, indented);
  area.setSelectionRange(from, from + indented.length);
}

/** Inserts text in place of the selection. execCommand is the only way that keeps the undo history. */
function insertText(area: HTMLTextAreaElement, text: string): void {
  if (document.execCommand('insertText', false, text)) return;
  area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end');
  area.dispatchEvent(new Event('input', { bubbles: true }));
}
