/**
 * Finds the tags and texts that describe a page. Reads its undecoded bytes as they arrive and builds no tree.
 * Has the states of the WHATWG tokenizer (HTML §13.2.5) with scripting off. Bytes are compared as ASCII,
 * which is correct in every encoding of the web except UTF-16 and ISO-2022-JP. Resumable at any byte.
 */
import { HASH_COUNT, NameScanner, TAG, type TagId, isHeadElement, isTextElement } from './tag-names.ts';
import { isLetter, isSpace, skipTo } from './bytes.ts';
import { DeclarationEnd, TagEnd } from './tag-end.ts';
import { ForeignContent } from './foreign-content.ts';
import { TextEnd } from './text-end.ts';

/** A tag of the document, as positions in its bytes. */
export interface Tag {
  id: TagId;
  /** Its `<`. */
  start: number;
  /** The byte after its name. */
  nameEnd: number;
  /** The byte after its `>`. */
  end: number;
}

/**
 * Receives tags and texts in document order, except inside comments, scripts, templates, SVG and MathML. A
 * method that returns false stops the scan.
 */
export interface HtmlSink {
  onStartTag(tag: Tag): boolean;
  onEndTag(tag: Tag): boolean;
  /** Receives the content of a title or script: [start, end). */
  onText(id: TagId, start: number, end: number): boolean;
  /** Withdraws everything that was received from position `start` on. */
  discardFrom(start: number): void;
}

const DATA = 0;
const TAG_OPEN = 1;
const END_TAG_OPEN = 2;
const TAG_NAME = 3;
const IN_TAG = 4;
const DECLARATION = 5;
/** Inside the text of a title, script and the like. */
const TEXT = 6;
/** After `<plaintext>`: everything is text. */
const PLAINTEXT = 7;

const EMPTY = Buffer.alloc(0);

export class HtmlScanner {
  #sink: HtmlSink;
  /** XML: `/>` closes any element, and CDATA sections are allowed everywhere. */
  #isXml: boolean;
  #bytes: Buffer = EMPTY;
  #end = 0;
  #at = 0;
  #state = DATA;
  #isStopped = false;
  /** The `<` of the current tag. */
  #start = 0;
  #nameEnd = 0;
  #isEndTag = false;
  #textStart = 0;
  #textTag: TagId = TAG.other;
  /** The current tag ends a text element. */
  #closesText = false;
  #foreign = new ForeignContent();
  #body = new BodyTracker();
  /** The number of open elements by the hash of their name: an end tag inside SVG may close one around it. */
  #openCounts = new Int32Array(HASH_COUNT);
  #name = new NameScanner();
  #tagEnd = new TagEnd();
  #textEnd = new TextEnd();
  #declarationEnd = new DeclarationEnd();

  readonly #getAttributeText = () => this.#bytes.toString('latin1', this.#nameEnd, this.#at).toLowerCase();
  readonly #getName = () =>
    this.#name.getName(this.#bytes, this.#start + (this.#isEndTag ? 2 : 1), this.#nameEnd);

  constructor(sink: HtmlSink, isXml: boolean) {
    this.#sink = sink;
    this.#isXml = isXml;
  }

  /** The start of the first tag that opens the body, or -1. */
  get bodyStart(): number {
    return this.#body.bodyStart;
  }

  /** The position before which no further tag or title can begin. */
  get settledAt(): number {
    if (this.#state === TEXT) return this.#textTag === TAG.title ? this.#start : this.#at;
    return this.#state >= TAG_OPEN && this.#state <= IN_TAG ? this.#start : this.#at;
  }

  /**
   * Continues the scan up to byte `end`. `bytes` holds the page from its start; bytes scanned before are not
   * scanned again. Returns false once the sink has stopped the scan.
   */
  scan(bytes: Buffer, end: number): boolean {
    this.#bytes = bytes;
    this.#end = end;
    while (this.#at < end && !this.#isStopped) this.#step();
    return !this.#isStopped;
  }

  /** Ends the page: the text of an unclosed title or script reaches to its end. */
  finish(): void {
    if (this.#isStopped || this.#state !== TEXT || this.#foreign.isInTemplate) return;
    this.#sink.onText(this.#textTag, this.#textStart, this.#end);
  }

  #step(): void {
    switch (this.#state) {
      case DATA:
        return this.#scanData();
      case TAG_OPEN:
        return this.#openTag(this.#bytes[this.#at]!);
      case END_TAG_OPEN:
        return this.#openEndTag(this.#bytes[this.#at]!);
      case TAG_NAME:
        if (this.#advanceTo(this.#name.resume(this.#bytes, this.#at, this.#end))) this.#endName();
        return;
      case IN_TAG:
        if (this.#advanceTo(this.#tagEnd.resume(this.#bytes, this.#at, this.#end))) this.#endTag();
        return;
      case DECLARATION:
        return this.#scanDeclaration();
      case TEXT:
        if (this.#advanceTo(this.#textEnd.resume(this.#bytes, this.#at, this.#end))) this.#endText();
        return;
      default:
        this.#at = this.#end;
    }
  }

  /** Continues at `position`. If it is -1, continues at the end of the bytes and returns false. */
  #advanceTo(position: number): boolean {
    this.#at = position < 0 ? this.#end : position;
    return position >= 0;
  }

  #scanData(): void {
    const from = this.#at;
    this.#at = skipTo(0x3c, this.#bytes, from, this.#end);
    if (this.#body.isFramesetPossible) this.#body.onText(this.#bytes, from, this.#at);
    if (this.#at === this.#end) return;
    this.#start = this.#at++;
    this.#state = TAG_OPEN;
  }

  #scanDeclaration(): void {
    const allowsCdata = this.#isXml || this.#foreign.isForeign;
    if (this.#advanceTo(this.#declarationEnd.resume(this.#bytes, this.#at, this.#end, allowsCdata)))
      this.#state = DATA;
  }

  #openTag(byte: number): void {
    if (isLetter(byte)) return this.#beginName(false);
    if (byte === 0x2f) this.#state = END_TAG_OPEN;
    else if (byte === 0x21) this.#beginDeclaration();
    else if (byte === 0x3f) this.#beginBogusComment();
    else {
      // A `<` that opens nothing is text.
      this.#body.isFramesetPossible = false;
      this.#state = DATA;
      return;
    }
    this.#at++;
  }

  #openEndTag(byte: number): void {
    if (isLetter(byte)) this.#beginName(true);
    else this.#beginBogusComment();
  }

  #beginName(isEndTag: boolean): void {
    this.#isEndTag = isEndTag;
    this.#name.begin();
    this.#state = TAG_NAME;
  }

  #beginDeclaration(): void {
    this.#declarationEnd.begin();
    this.#state = DECLARATION;
  }

  #beginBogusComment(): void {
    this.#declarationEnd.beginBogusComment();
    this.#state = DECLARATION;
  }

  #endName(): void {
    this.#nameEnd = this.#at;
    this.#tagEnd.begin();
    this.#state = IN_TAG;
  }

  #endTag(): void {
    this.#state = DATA;
    if (this.#closesText) {
      this.#closesText = false;
      return;
    }
    const { id, hash } = this.#name;
    if (!this.#foreign.isEmpty && !this.#isHtml(hash)) return;
    if (!this.#isEndTag) this.#openCounts[hash]!++;
    else if (this.#openCounts[hash]! > 0) this.#openCounts[hash]!--;
    if (this.#isEndTag) {
      if (this.#body.isFramesetPossible && this.#getName() === 'br') this.#body.isFramesetPossible = false;
      if (id !== TAG.other && !this.#foreign.isInTemplate) this.#emit(id, true);
      return;
    }
    this.#startElement(id);
  }

  #startElement(id: TagId): void {
    const isSelfClosed = this.#isXml && this.#tagEnd.isSelfClosing;
    if (!this.#foreign.isInTemplate) {
      const isFrameset = this.#body.onStartTag(id, this.#start, this.#getName);
      if (isFrameset) this.#sink.discardFrom(this.#body.bodyStart);
      // A page of frames has no content outside noframes (WHATWG HTML §13.2.6.4.20).
      if (this.#body.hasFrames && id !== TAG.noframes && id !== TAG.html) return;
    }
    if (id === TAG.other) return;
    if (this.#foreign.isEmpty && (id === TAG.svg || id === TAG.math || id === TAG.template)) {
      this.#foreign.startTag(this.#getName(), this.#tagEnd.isSelfClosing, this.#getAttributeText);
      return;
    }
    if (isTextElement(id) && !isSelfClosed) {
      this.#state = TEXT;
      this.#textTag = id;
      this.#textStart = this.#at;
      this.#textEnd.begin(id);
    } else if (id === TAG.plaintext && !this.#isXml) {
      this.#state = PLAINTEXT;
    }
    if (!this.#foreign.isInTemplate) this.#emit(id, false);
  }

  /** Applies a tag inside a template or foreign content. Returns whether it is HTML. */
  #isHtml(hash: number): boolean {
    if (this.#isEndTag) {
      const isHtml = !this.#foreign.isForeign;
      this.#foreign.endTag(this.#getName(), this.#openCounts[hash]! > 0);
      return isHtml || this.#foreign.isEmpty;
    }
    return this.#foreign.startTag(this.#getName(), this.#tagEnd.isSelfClosing, this.#getAttributeText);
  }

  #emit(id: TagId, isEndTag: boolean): void {
    const tag = { id, start: this.#start, nameEnd: this.#nameEnd, end: this.#at };
    if (!(isEndTag ? this.#sink.onEndTag(tag) : this.#sink.onStartTag(tag))) this.#isStopped = true;
  }

  /** Continues inside the end tag of a text element, which may have attributes. */
  #endText(): void {
    const end = this.#textEnd.textEnd;
    if (!this.#foreign.isInTemplate && (this.#textTag === TAG.title || this.#textTag === TAG.script)) {
      if (!this.#sink.onText(this.#textTag, this.#textStart, end)) this.#isStopped = true;
    }
    this.#start = end;
    this.#closesText = true;
    this.#tagEnd.begin();
    this.#state = IN_TAG;
  }
}

/** The start tags after which a frameset is ignored. */
const RULES_OUT_FRAMES = new Set(
  (
    'applet area body br button dd dt embed hr iframe img input keygen li listing marquee object plaintext pre select table ' +
    'textarea wbr xmp'
  ).split(' '),
);

/** Tracks the start of a page's body, and whether it is a frameset (WHATWG HTML §13.2.6.4.6–7). */
class BodyTracker {
  /** The start of the first tag that opens the body (`<body>`, or one that cannot be in a head), or -1. */
  bodyStart = -1;
  /** The page consists of frames: of all further tags, only html and noframes count. */
  hasFrames = false;
  /** Neither text nor a tag of RULES_OUT_FRAMES was seen. */
  isFramesetPossible = true;

  /** Receives the bytes between two tags: [start, end). */
  onText(bytes: Uint8Array, start: number, end: number): void {
    for (let at = start; at < end; at++) {
      const byte = bytes[at]!;
      if (byte !== 0 && !isSpace(byte)) {
        this.isFramesetPossible = false;
        return;
      }
    }
  }

  /** Receives a start tag. Returns true if it makes this a page of frames, whose body so far is discarded. */
  onStartTag(id: TagId, start: number, getName: () => string): boolean {
    const isFirst = this.bodyStart < 0 && !isHeadElement(id);
    if (id === TAG.frameset && this.isFramesetPossible && !this.hasFrames) this.hasFrames = true;
    else if (this.isFramesetPossible && !isHeadElement(id) && RULES_OUT_FRAMES.has(getName()))
      this.isFramesetPossible = false;
    if (isFirst) this.bodyStart = start;
    return id === TAG.frameset && this.hasFrames;
  }
}
