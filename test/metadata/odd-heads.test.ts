/** Compares the description of unusual heads with that of parse5. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeWithParse5 } from './parse5-oracle.ts';
import { pageHead, describeBytes } from './describe-bytes.ts';

const HEADS = [
  '<title>a</title><title>b</title>',
  '<title></title><title> \n</title><title>third</title>',
  '<svg><title>icon</title></svg><title>page</title>',
  '<svg><desc><title>in desc</title></desc></svg><title>page</title>',
  '<math><mtext><title>in mtext</title></mtext></math><title>page</title>',
  '<svg/><title>after an empty svg</title>',
  '<svg><p><title>broken out</title>',
  '<title>a<b>c</b></title>',
  '<title>a<!-- not a comment --></title>',
  '<title>a</titles></title>',
  '<TITLE>upper</TITLE >',
  '<title/>slash does not close</title>',
  '<title>&lt;b&gt; &amp;amp; &copy &notit; &#x1F600; &#0; &#128; &#xD800; &#99999999;</title>',
  '<title>a\u00a0 b\u200d</title>',
  '<title>a\0b</title>',
  '<textarea><title>no</title></textarea><title>yes</title>',
  '<noscript><title>in noscript</title></noscript>',
  '<template><title>no</title><meta name=description content=no></template><title>yes</title>',
  '<template><template></template><title>no</title></template><title>yes</title>',
  '<script><!--<script></script><title>no</title>--></script><title>yes</title>',
  '<style><title>no</title></style><title>yes</title>',
  '<!-- <title>no</title> --!><title>yes</title>',
  '<!--><title>yes</title>-->',
  '<!---><title>yes</title>',
  '<!doctype html [<!ENTITY a "b">]><title>yes</title>',
  '<?php echo "<title>no</title>" ?><title>yes</title>',
  '</ title><title>yes</title>',
  '<![CDATA[<title>yes</title>]]>',
  '<meta NAME=Description CONTENT=plain>',
  "<meta name='description' content='single \"quotes\"'>",
  '<meta name=description content=a content=b>',
  '<meta name="description"content="no space between">',
  '<meta/name="description"/content="slashes"/>',
  '<meta name = "description" content = "spaces">',
  '<meta name="description" content="a>b">',
  '<meta name="description" content="&quot;a&quot; &ampb &notin; &noti">',
  '<meta name="description" content=""><meta name="description" content="second">',
  '<meta name=" description " content=" padded ">',
  '<meta property="og:title og:description" content="two keys">',
  '<meta property="og&#x3a;title" content="references in a key">',
  '<meta n&#97;me=description content=no><meta name="&#100;escription" content=yes>',
  '<link rel="shortcut&#32;icon" href=f.png>',
  '<meta charset="&#117;tf-8"><title>\u00e4</title>',
  '<meta http-equiv="content&#45;language" content=de>',
  '<meta name="og:title" property="twitter:title" content="both">',
  '<meta property="og:image" content="/a b.png"><meta property="og:image:secure_url" content="https://x.test/s.png">',
  '<meta property="og:image" content="http://"><meta property="og:image:url" content="//cdn.test/i.png">',
  '<meta property="og:image" content="data:image/png;base64,AA"><meta name="twitter:image:src" content="t.png">',
  '<base href="/deep/er/"><meta property="og:image" content="i.png"><link rel=icon href=f.png>',
  '<base target=_blank><base href="https://other.test/x/"><link rel=icon href=f.png>',
  '<base href="javascript:1"><base href="/second/"><link rel=icon href=f.png>',
  '<base href=""><link rel=icon href=f.png>',
  '<link rel=icon href=""><link rel=icon href=" /f.png ">',
  '<link rel="SHORTCUT\nICON" href=s.ico><link rel=apple-touch-icon href=a.png>',
  '<link rel=apple-touch-icon href=a.png><link rel=icon href=i.png>',
  '<link rel=mask-icon href=m.svg><link rel=fluid-icon href=f.png>',
  '<link rel=icon href="data:image/svg+xml,%3Csvg/%3E"><link rel=apple-touch-icon href=a.png>',
  '<link rel=icon media="(prefers-color-scheme: dark)" href=d.png><link rel=icon href=l.png>',
  '<link rel=icon href="\\\\evil.test\\i.png">',
  '<link href=x.png rel="preload icon">',
  '<html lang=en><html lang=fr><title>merged</title>',
  '<html lang=""><html xml:lang=de><title>empty lang</title>',
  '<html lang="english"><meta property="og:locale" content="pt_BR"><title>no tag</title>',
  '<html lang="zh-cmn-Hans"><title>extlang</title>',
  '<html lang="en-UK"><title>uk</title>',
  '<meta http-equiv="Content-Language" content="sv"><title>pragma</title>',
  '<meta charset=utf-16le><title>caf\u00e9</title>',
  '<meta charset=" UTF8 "><title>caf\u00e9</title>',
  '<meta http-equiv=content-type content="text/html; charset = \'latin1\'"><title>plain</title>',
  '<meta charset=bogus><meta charset=koi8-r><title>second label</title>',
  '<body><meta property="og:title" content="in the body"><title>late</title>',
  '<p>text</p><title>in the body</title><meta name=description content=late>',
  '<frameset><frame><noframes><title>no</title></noframes></frameset><title>no</title>',
  '<plaintext><title>no</title>',
  '<a title="<title>no</title>">x</a><title>yes</title>',
  '<title>unclosed &amp; <meta name=description content=no>',
  '<meta name=description content="unclosed',
  '<title>a\r\nb\rc\td\fe</title>',
  '<table><title>in table</title></table>',
  '<iframe><title>no</title></iframe><title>yes</title>',
  '<xmp><title>no</title></xmp><title>yes</title>',
];

describe('unusual heads', () => {
  const head = pageHead('https://site.test/dir/page?q=1', { 'content-type': 'text/html' });
  for (const html of HEADS) {
    for (const markup of [html, `<!DOCTYPE html><html><head>${html}</head><body>text</body></html>`]) {
      it(JSON.stringify(markup), () => {
        const bytes = Buffer.from(markup);
        const { url: _, ...found } = describeBytes(bytes, head);
        assert.deepEqual(found, describeWithParse5(bytes, head, 'windows-1252'));
        const cuts = Array.from({ length: bytes.length }, (_byte, at) => at);
        const { url: _url, ...inPieces } = describeBytes(bytes, head, { cuts });
        assert.deepEqual(inPieces, found);
      });
    }
  }
});
