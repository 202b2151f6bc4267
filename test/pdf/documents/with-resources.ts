import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const SITE = 'https://site.example';
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGP4z8CAB+GTG8HSALfKY52fTcuYAAAAAElFTkSuQmCC',
  'base64',
);
const FONT = readFileSync(
  new URL(
    '../../../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
    import.meta.url,
  ),
);
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" width="40" height="40"><defs><g id="mark"><circle cx="20" cy="20" r="18" fill="teal"/></g></defs><use href="#mark"/></svg>';

const RED_SHEET = 'p{color:red;background:url(logo.png)}';
const RED_HASH = `sha384-${hash('sha384', RED_SHEET, 'base64')}`;

/** A file of the site: its Content-Type and its content. */
export type SiteFile = [contentType: string, content: string | Uint8Array];

/** The files of https://site.example that the documents load. */
export const SITE_FILES: Record<string, SiteFile> = {
  '/logo.png': ['image/png', PNG],
  '/logo.svg': ['image/svg+xml', SVG],
  '/typed-wrong.png': ['text/plain', PNG],
  '/inter.woff2': ['font/woff2', FONT],
  '/app.css': [
    'text/css; charset=utf-8',
    '@import "parts/table.css";body{font:10pt/1.4 Inter,sans-serif}@font-face{font-family:Inter;src:url("inter.woff2?#1") format("woff2");src:url("inter.woff2?a#b") format("woff2"),url(inter.woff2) format("woff2")}h1{background:url( logo.svg ) no-repeat;padding-left:50px}.md\\:w-1\\/2{width:50%}.icon::before{content:"\\2192"}',
  ],
  '/parts/table.css': [
    'text/css',
    'table{border-collapse:collapse}td{border:1px solid #999;background:url(../logo.png) right no-repeat}',
  ],
  '/parts/screen.css': ['text/css', 'body{display:none}'],
  '/latin1.css': ['text/css; charset=iso-8859-1', Buffer.from('p::before{content:"é "}', 'latin1')],
  '/red.css': ['text/css', RED_SHEET],
  '/motion.css': [
    'text/css',
    '@keyframes in{from{opacity:0;color:red}to{opacity:1;color:green}}p{animation:in 1s both}',
  ],
  '/scheme.css': ['text/css', ':root{color-scheme:dark}'],
};

const TABLE =
  '<table><tr><td>Consulting</td><td>1,680.00</td></tr><tr><td>Hosting</td><td>189.00</td></tr></table>';

/** Documents without scripts and frames as people send them. Each can be rendered in a page that was used. */
export const WITH_RESOURCES: Record<string, string> = {
  'an invoice with a logo, a web font and a style sheet': `<!doctype html><html lang=en><head><meta charset=utf-8><title>Invoice</title><link rel="stylesheet" href="${SITE}/app.css"></head><body><img src="${SITE}/logo.png" width=80 alt=Logo><h1>Invoice</h1>${TABLE}</body></html>`,
  'a style sheet for print': `<link rel=stylesheet media=print href=${SITE}/app.css><h1>x</h1>${TABLE}`,
  'links that load nothing for print': `<link rel=icon href=${SITE}/favicon.ico><link rel=preconnect href=${SITE}><link rel=canonical href=${SITE}/x><link rel=manifest href=${SITE}/m.json><link rel=preload as=style href=${SITE}/app.css><p>x`,
  'relative URLs under a base element': `<base href="${SITE}/parts/"><img src="../logo.svg" width=60><p style="background:url('../logo.png')">x</p><a href="/terms">terms</a>`,
  'a background in an attribute': `<table background="${SITE}/logo.png"><tr><td width=200 height=80>x</table>`,
  'an SVG with an image in it': `<svg width=90 height=90><image xlink:href="data:image/png;base64,${PNG.toString('base64')}" width=40 height=40 /></svg><img src="${SITE}/logo.svg">`,
  'an SVG image with a fragment': `<img src="${SITE}/logo.svg#mark" width=60>`,
  'a style attribute with character references': `<p style="background:url&#40;&quot;${SITE}/logo.png&quot;&#41; no-repeat;padding:20px">x`,
  'an image with a wrong type': `<img src="${SITE}/typed-wrong.png" width=60>x`,
  'images that are not fetched':
    '<img src="cid:part1" alt="cid"><img src="ftp://site.example/a.png" width=60 height=30 alt="ftp">x',
  'a style sheet that is not fetched': '<link rel=stylesheet href=ftp://site.example/a.css><p>x',
  'a style sheet in another encoding': `<link rel=stylesheet href=${SITE}/latin1.css><p>x`,
  'fonts that the machine may have': `<style>@font-face{font-family:A;src:local("No Such Font"),url(${SITE}/inter.woff2)}@font-face{font-family:B;src:local(Arimo),local("Arimo Regular"),url(${SITE}/inter.woff2)}@font-face{font-family:C;src:local("Caladea")}p{font-family:A}b{font-family:B}i{font-family:C,monospace}</style><p>absent <b>perhaps</b> <i>there</i>`,
  'escapes in CSS': `<link rel=stylesheet href=${SITE}/app.css><div class="md:w-1/2" style="border:1px solid">half</div><i class=icon></i>`,
  'an animated style sheet': `<link rel=stylesheet href=${SITE}/motion.css><p>moved`,
  'animations and transitions':
    '<style>@keyframes k{from{margin-left:0}to{margin-left:90px}}p{animation:k 2s .5s forwards;transition:all 1s}i{animation:k 3s infinite alternate}</style><p>x<i>y</i>',
  'a dark color scheme':
    '<meta name=color-scheme content="dark"><p>x <a href="https://a.example">link</a> <input value=v>',
  'a color scheme in a style sheet': `<link rel=stylesheet href=${SITE}/scheme.css><p>x<input value=v>`,
  'colors of the body': '<body text=green link=red vlink=red alink=red>x <a href="https://a.example">y</a>',
  'pragmas that change nothing':
    '<meta http-equiv="X-UA-Compatible" content="IE=edge"><meta http-equiv=Pragma content=no-cache><p>x',
  'structured data': '<script type="application/ld+json">{"@type":"Invoice"}</script><p>x',
  'event handlers of a user': '<p onclick="x()" onmouseover="y()">x <a href="javascript:void(0)">y</a>',
  'a style sheet with its hash': `<link integrity=${RED_HASH} crossorigin=anonymous rel=stylesheet href=${SITE}/red.css><link rel=stylesheet href="../scheme.css"><p>x`,
  'dialogs and popovers':
    '<dialog>closed</dialog><dialog open>open <button>b</button></dialog><p popover>x<div popover=manual>y</div><button popovertarget=z>z</button>',
  'dialogs with styles':
    '<style>dialog{position:static;border:4px solid green}dialog::backdrop{background:red}</style><dialog open>a</dialog><dialog style="display:block">b</dialog>',
  progress:
    '<progress value=.4></progress><progress value=3 max=9 style="width:90px"></progress><progress value>',
  'an image without a URL that is valid': '<img src="//[" alt=a>',
  'an e-mail': `<html xmlns:v="urn:schemas-microsoft-com:vml"><head><!--[if mso]><noscript><xml><o:OfficeDocumentSettings/></xml></noscript><script>mso()</script><![endif]--><style>@media only screen and (max-width:600px){.c{width:100%!important}}@import url(${SITE}/parts/screen.css);</style></head><body bgcolor="#f4f4f4"><!--[if mso | IE]><table><tr><td><![endif]--><div class=c style="max-width:600px;margin:auto;background:#fff url('${SITE}/logo.png') no-repeat right top"><img src="${SITE}/logo.svg" width=120 style="display:block" loading=lazy alt=""><p style="mso-line-height-rule:exactly">Hello</p></div></body></html>`,
  'links to its own parts': `<link rel=stylesheet href=${SITE}/app.css><a href="#part">to the part</a><h2 id=part style="break-before:page">Part</h2>`,
};
