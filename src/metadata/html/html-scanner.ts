/**
 * Finds the tags and texts that describe a page in its bytes, as they arrive, without decoding them and without a tree.
 * The states are those of the WHATWG tokenizer (HTML §13.2.5) with scripting off; bytes are compared as ASCII, which holds in every encoding
 * of the web but UTF-16 and ISO-2022-JP. Values are handed on as positions. It can be stopped and resumed at any byte.
 */
import { BodyWatch } from './body-tracker.ts';
import { CommentEnd } from './comment-end.ts';
import { OpenElements } from './open-elements.ts';
import { TagEnd } from './tag-end.ts';
import { findTag, isTextElement, TAG, type TagId, UNPACKABLE } from './tag-names.ts';
import { skipTo, TextEnd } from './text-end.ts';

/** One tag of the document: `start` its `<`, `nameEnd` the byte after its name, `end` the byte after its `>`. */
export interface Tag {
  id: TagId;
  start: number;
  nameEnd: number;
  end: number;
}

/** What the scanner tells as it goes; each answers whether to go on. Nothing is told of tags in comments, scripts, templates, SVG and MathML. */
export interface HtmlSink {
  startTag(tag: Tag): boolean;
  endTag(tag: Tag): boolean;
  /** What was told from this position on does not count after all. */
  dropSince(start: number): void;
  /** The text of a title or script, without its tags. */
  text(id: TagId, start: number, end: number): boolean;
}

const DATA = 0;
const TAG_OPEN = 1;
const END_TAG_OPEN = 2;
const TAG_NAME = 3;
const IN_TAG = 4;
const MARKUP_DECLARATION = 5;
const BOGUS_COMMENT = 6;
const COMMENT = 7;
const CDATA = 8;
const TEXT = 9;
const PLAINTEXT = 10;

const COUNT_BITS = 7;

/** Names of up to six letters by their packed form. */
const shortNames = new Map<number, string>();
const MAX_SHORT_NAMES = 1_000;

const EMPTY = Buffer.alloc(0);
const CDATA_OPEN = Buffer.from('[CDATA[');

export class HtmlScanner {
  #sink: HtmlSink;
  /** XML: `/>` closes any element, and CDATA sections are everywhere. */
  #isXml: boolean;
  #bytes: Buffer = EMPTY;
  #end = 0;
  #at = 0;
  #state = DATA;
  #stopped = false;
  #start = 0;
  #nameEnd = 0;
  #isEndTag = false;
  #first = 0;
  #rest = 0;
  #letters = 0;
  #matched = 0;
  #textStart = 0;
  #textTag: TagId = TAG.other;
  #closesText = false;
  #open = new OpenElements();
  #body = new BodyWatch();
  /** How many elements of a name are open, by a hash of the name: whether an end tag inside SVG closes something around it. */
  #counts = new Int32Array(1 << COUNT_BITS);
  #tagEnd = new TagEnd();
  #textEnd = new TextEnd();
  #commentEnd = new CommentEnd();

  readonly #readAttributes = () => this.#bytes.toString('latin1', this.#nameEnd, this.#at).toLowerCase();
  readonly #readName = () => this.#name();

  constructor(sink: HtmlSink, isXml: boolean) {
    this.#sink = sink;
    this.#isXml = isXml;
  }

  /** The start of the first tag that opens the body, or -1. */
  get bodyStart(): number {
    return this.#body.bodyStart;
  }

  /** The position before which no further tag or title can begin. */
  get settled(): number {
    if (this.#state === TEXT) return this.#textTag === TAG.title ? this.#start : this.#at;
    return this.#state >= TAG_OPEN && this.#state <= MARKUP_DECLARATION ? this.#start : this.#at;
  }

  /** Goes on with the page's first `end` bytes, of which those before were given before. Answers false once the sink had enough. */
  scan(bytes: Buffer, end: number): boolean {
    this.#bytes = bytes;
    this.#end = end;
    while (this.#at < end && !this.#stopped) this.#step();
    return !this.#stopped;
  }

  /** The page has ended: the text of an unclosed title or script is all that follows it. */
  finish(): void {
    if (this.#stopped || this.#state !== TEXT || this.#open.isInTemplate) return;
    this.#sink.text(this.#textTag, this.#textStart, this.#end);
  }

  #step(): void {
    switch (this.#state) {
      case DATA:
        return this.#data();
      case TAG_OPEN:
        return this.#tagOpen(this.#bytes[this.#at]!);
      case END_TAG_OPEN:
        return this.#endTagOpen(this.#bytes[this.#at]!);
      case TAG_NAME:
        return this.#tagName();
      case IN_TAG:
        if (this.#reach(this.#tagEnd.resume(this.#bytes, this.#at, this.#end))) this.#endOfTag();
        return;
      case COMMENT:
        if (this.#reach(this.#commentEnd.resume(this.#bytes, this.#at, this.#end))) this.#state = DATA;
        return;
      case TEXT:
        if (this.#reach(this.#textEnd.resume(this.#bytes, this.#at, this.#end))) this.#endOfText();
        return;
      case MARKUP_DECLARATION:
        return this.#markupDeclaration(this.#bytes[this.#at]!);
      case BOGUS_COMMENT:
        this.#at = skipTo(0x3e, this.#bytes, this.#at, this.#end);
        if (this.#at === this.#end) return;
        this.#at++;
        this.#state = DATA;
        return;
      case CDATA:
        return this.#cdata();
      default:
        this.#at = this.#end;
    }
  }

  #data(): void {
    const from = this.#at;
    this.#at = skipTo(0x3c, this.#bytes, from, this.#end);
    if (this.#body.isFramesetPossible) this.#body.text(this.#bytes, from, this.#at);
    if (this.#at === this.#end) return;
    this.#start = this.#at++;
    this.#state = TAG_OPEN;
  }

  /** Goes to the position that a part found; false when it found none among the bytes so far. */
  #reach(position: number): boolean {
    this.#at = position < 0 ? this.#end : position;
    return position >= 0;
  }

  #tagOpen(byte: number): void {
    if (isLetter(byte)) return this.#beginTag(false);
    this.#matched = 0;
    if (byte === 0x2f) this.#state = END_TAG_OPEN;
    else if (byte === 0x21) this.#state = MARKUP_DECLARATION;
    else if (byte === 0x3f) this.#state = BOGUS_COMMENT;
    else {
      // A «<» that opens nothing is text.
      this.#body.isFramesetPossible = false;
      this.#state = DATA;
      return;
    }
    this.#at++;
  }

  #endTagOpen(byte: number): void {
    if (isLetter(byte)) return this.#beginTag(true);
    this.#state = BOGUS_COMMENT;
  }

  #beginTag(isEndTag: boolean): void {
    this.#isEndTag = isEndTag;
    this.#first = 0;
    this.#rest = 0;
    this.#letters = 0;
    this.#state = TAG_NAME;
  }

  #tagName(): void {
    const bytes = this.#bytes;
    const end = this.#end;
    let at = this.#at;
    for (; at < end; at++) {
      const byte = bytes[at]!;
      if (
        byte === 0x3e ||
        byte === 0x20 ||
        byte === 0x2f ||
        (byte <= 0x0d && byte >= 0x09 && byte !== 0x0b)
      ) {
        this.#nameEnd = at;
        this.#tagEnd.begin();
        this.#state = IN_TAG;
        break;
      }
      this.#letters++;
      if (!isLetter(byte) || this.#letters > 12) this.#rest = UNPACKABLE;
      else if (this.#letters <= 6) this.#first = (this.#first << 5) | (byte & 31);
      else if (this.#rest !== UNPACKABLE) this.#rest = (this.#rest << 5) | (byte & 31);
    }
    this.#at = at;
  }

  #endOfTag(): void {
    this.#state = DATA;
    if (this.#closesText) {
      this.#closesText = false;
      return;
    }
    const id = this.#rest === UNPACKABLE ? TAG.other : findTag(this.#first, this.#rest);
    const slot = Math.imul(this.#first ^ this.#letters, 0x9e3779b1) >>> (32 - COUNT_BITS);
    if (!this.#open.isEmpty && !this.#isHtml(slot)) return;
    if (!this.#isEndTag) this.#counts[slot]!++;
    else if (this.#counts[slot]! > 0) this.#counts[slot]!--;
    if (this.#isEndTag) {
      if (this.#body.isFramesetPossible && this.#name() === 'br') this.#body.isFramesetPossible = false;
      if (id !== TAG.other && !this.#open.isInTemplate) this.#tell(id, true);
      return;
    }
    this.#startTag(id);
  }

  #startTag(id: TagId): void {
    const selfClosed = this.#isXml && this.#tagEnd.selfClosing;
    if (!this.#open.isInTemplate) {
      const isFrameset = this.#body.startTag(id, this.#start, this.#readName);
      if (isFrameset) this.#sink.dropSince(this.#body.bodyStart);
      // A page of frames has no other content: what stands outside noframes is dropped (WHATWG HTML §13.2.6.4.20).
      if (this.#body.hasFrames && id !== TAG.noframes && id !== TAG.html) return;
    }
    if (id === TAG.other) return;
    if (this.#open.isEmpty && (id === TAG.svg || id === TAG.math || id === TAG.template)) {
      this.#open.startTag(this.#name(), this.#tagEnd.selfClosing, this.#readAttributes);
      return;
    }
    if (isTextElement(id) && !selfClosed) {
      this.#state = TEXT;
      this.#textTag = id;
      this.#textStart = this.#at;
      this.#textEnd.begin(id);
    } else if (id === TAG.plaintext && !this.#isXml) {
      this.#state = PLAINTEXT;
    }
    if (!this.#open.isInTemplate) this.#tell(id, false);
  }

  /** Inside templates and foreign content: whether the tag is HTML. */
  #isHtml(slot: number): boolean {
    if (this.#isEndTag) {
      const isHtml = !this.#open.isForeign;
      this.#open.endTag(this.#name(), this.#counts[slot]! > 0);
      return isHtml || this.#open.isEmpty;
    }
    return this.#open.startTag(this.#name(), this.#tagEnd.selfClosing, this.#readAttributes);
  }

  #tell(id: TagId, isEndTag: boolean): void {
    const tag = { id, start: this.#start, nameEnd: this.#nameEnd, end: this.#at };
    if (!(isEndTag ? this.#sink.endTag(tag) : this.#sink.startTag(tag))) this.#stopped = true;
  }

  /** The end tag of a text element was found: its attributes, if any, are still to be skipped. */
  #endOfText(): void {
    const end = this.#textEnd.textEnd;
    if (!this.#open.isInTemplate && (this.#textTag === TAG.title || this.#textTag === TAG.script)) {
      if (!this.#sink.text(this.#textTag, this.#textStart, end)) this.#stopped = true;
    }
    this.#start = end;
    this.#closesText = true;
    this.#tagEnd.begin();
    this.#state = IN_TAG;
  }

  /** After `<!`: a comment, a CDATA section in foreign content, or what ends at the next `>` (a doctype does, too). */
  #markupDeclaration(byte: number): void {
    if (byte === 0x2d && this.#matched === 0) {
      this.#matched = -1;
    } else if (byte === 0x2d && this.#matched === -1) {
      this.#state = COMMENT;
      this.#commentEnd.begin();
    } else if (
      this.#matched >= 0 &&
      byte === CDATA_OPEN[this.#matched] &&
      (this.#isXml || this.#open.isForeign)
    ) {
      if (++this.#matched === CDATA_OPEN.length) {
        this.#matched = 0;
        this.#state = CDATA;
      }
    } else {
      this.#state = BOGUS_COMMENT;
      return;
    }
    this.#at++;
  }

  #cdata(): void {
    const byte = this.#bytes[this.#at++]!;
    if (byte === 0x5d) this.#matched = Math.min(this.#matched + 1, 2);
    else if (byte === 0x3e && this.#matched === 2) this.#state = DATA;
    else this.#matched = 0;
  }

  /** The tag's name in lower case; short ones are kept, as SVG repeats them. */
  #name(): string {
    const isShort = this.#rest === 0;
    const kept = isShort ? shortNames.get(this.#first) : undefined;
    if (kept !== undefined) return kept;
    const from = this.#start + (this.#isEndTag ? 2 : 1);
    const name = this.#bytes.toString('latin1', from, Math.min(this.#nameEnd, from + 64)).toLowerCase();
    if (isShort && shortNames.size < MAX_SHORT_NAMES) shortNames.set(this.#first, name);
    return name;
  }
}

function isLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}
