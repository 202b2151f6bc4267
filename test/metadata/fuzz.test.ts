/** Compares the description of malformed pages with that of parse5. TEST_FULL=1 runs more of them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { listPages } from './page-files.ts';
import { describeWithParse5 } from './parse5-oracle.ts';
import { seeded } from '../support/random.ts';
import { isFullRun } from '../support/sample.ts';
import { pageHead, describeBytes } from './describe-bytes.ts';

const MUTANTS = isFullRun ? 20_000 : 250;
const SNIPPETS = isFullRun ? 100_000 : 1_250;
/** One in so many may differ. */
const TOLERANCE = 1_000;

/** Without XML, which is not HTML, and UTF-16 and ISO-2022-JP, where one byte changes all that follow. */
const pages = listPages().filter(
  ({ head, expected }) =>
    !head.headers.get('content-type')!.includes('xml') &&
    !['utf-16le', 'iso-2022-jp'].includes(expected.charset!),
);

const SCRAPS = (
  '< > " \' / = <!-- --> </ <title> </title> </head> <svg> </svg> <template> </script> <script> & \0 \x1b \r\n <noscript> <body> <! ' +
  '<textarea> </style> <base\thref=/x/> <math> <frameset> <plaintext> <html\tlang=fr> <![CDATA[ ]]>'
).split(' ');

const FRAGMENTS = [
  ...SCRAPS,
  ...(
    '</TITLE\t <title/> </script\t <style> <svg/> </math> </template> </noscript> <head> <div> </div> <p> </p> <foreignObject> ' +
    '</foreignObject> <desc> </desc> <mi> </mi> </annotation-xml> <g> </g> <a> </a> <span> </span> <b> </b> <font> <iframe> </iframe> ' +
    '<xmp> </xmp> <noembed> </noembed> <noframes> </noframes> &amp; &lt &#65; &copy= é content=" name= <!-->  <!---> -- - ! <table> <td> ' +
    '</table> <li> </html> <br> </br> <meta\tcharset=utf-8>'
  ).split(' '),
  '<meta name=description content="d1">',
  '<meta name="og:title" content=t2 ',
  '<meta property=og:image content=/i.png>',
  '<link rel=icon href=/f.ico>',
  '<link rel="apple-touch-icon" href=a.png>',
  '<html lang="fr" xml:lang=en>',
  '<annotation-xml encoding="text/html">',
  '<font color=red>',
  '<!-- <script>',
  '<meta http-equiv=content-language content=es>',
  '<img src="x>y">',
  "<i title='a>b'>",
];
const TAIL = '<title>T9</title><meta name=description content=D9><link rel=icon href=i9.png>';

function mutate(bytes: Buffer, below: (limit: number) => number): Buffer {
  let mutant = bytes;
  for (let left = 1 + below(3); left > 0; left--) {
    const at = below(Math.min(mutant.length, 5_000));
    const before = mutant.subarray(0, at);
    const after = mutant.subarray(at);
    const kind = below(6);
    if (kind === 0) mutant = Buffer.concat([before, after.subarray(1 + below(8))]);
    else if (kind === 1) mutant = Buffer.concat([before, Buffer.from([below(256)]), after.subarray(1)]);
    else if (kind === 2) mutant = Buffer.concat([before, Buffer.from(SCRAPS[below(SCRAPS.length)]!), after]);
    else if (kind === 3) {
      const from = below(mutant.length);
      mutant = Buffer.concat([before, mutant.subarray(from, from + below(200)), after]);
    } else if (kind === 4) mutant = mutant.subarray(0, Math.max(1, mutant.length - below(mutant.length)));
    else mutant = Buffer.concat([before, after.subarray(below(100))]);
  }
  return mutant;
}

describe('malformed pages', () => {
  it(`${MUTANTS} mutants of the realistic pages: the same as by parse5, in any chunks`, () => {
    const below = seeded(20);
    const different: string[] = [];
    for (let count = 0; count < MUTANTS; count++) {
      const { name, bytes, head } = pages[count % pages.length]!;
      const mutant = mutate(bytes, below);
      const { url: _, ...found } = describeBytes(mutant, head, { stopsEarly: false });
      if (!isDeepStrictEqual(found, describeWithParse5(mutant, head, found.charset ?? 'utf-8')))
        different.push(`${name} ${count}`);
      const cuts = Array.from({ length: 20 }, () => below(mutant.length)).sort((one, other) => one - other);
      assert.deepEqual(
        describeBytes(mutant, head, { cuts }),
        describeBytes(mutant, head),
        `${name} ${count} in pieces`,
      );
    }
    assert.ok(
      different.length * TOLERANCE <= MUTANTS,
      `${different.length} differ: ${different.slice(0, 20).join(', ')}`,
    );
  });

  it(`${SNIPPETS} random sequences of tags that change the meaning of others: the same as by parse5, also byte by byte`, () => {
    const below = seeded(5);
    const head = pageHead('http://pages.example/d/p', { 'content-type': 'text/html' });
    const different: string[] = [];
    for (let count = 0; count < SNIPPETS; count++) {
      const fragments = Array.from({ length: 1 + below(14) }, () => FRAGMENTS[below(FRAGMENTS.length)]!);
      const bytes = Buffer.from(fragments.join('') + (below(2) === 0 ? TAIL : ''));
      const { url: _, ...found } = describeBytes(bytes, head, { stopsEarly: false });
      if (!isDeepStrictEqual(found, describeWithParse5(bytes, head, found.charset ?? 'utf-8')))
        different.push(bytes.toString());
      const { url: __, ...inPieces } = describeBytes(bytes, head, {
        stopsEarly: false,
        cuts: Array.from(bytes, (_, at) => at),
      });
      assert.deepEqual(inPieces, found, bytes.toString());
    }
    assert.ok(
      different.length * TOLERANCE <= SNIPPETS,
      `${different.length} differ:\n${different.slice(0, 20).join('\n')}`,
    );
  });

  it('random bytes are described, the same in any chunks', () => {
    const below = seeded(9);
    const types = [
      'text/html',
      'application/xml',
      'application/xhtml+xml',
      'text/html;charset=utf-16be',
      'text/html;charset=iso-2022-jp',
    ];
    for (let count = 0; count < 300; count++) {
      const bytes = Buffer.from(Array.from({ length: below(600) }, () => below(256)));
      const head = pageHead('http://pages.example/', { 'content-type': types[count % types.length]! });
      const found = describeBytes(bytes, head, { details: true });
      assert.ok(JSON.stringify(found).isWellFormed());
      assert.deepEqual(
        describeBytes(bytes, head, { details: true, cuts: Array.from(bytes, (_, at) => at) }),
        found,
      );
    }
  });
});
