import { SITE } from '../support/changing-site.ts';
import type { Attacks } from './attack.ts';

const FACE = (family: string, source = `url(${SITE}/kept-font.ttf)`): string =>
  `@font-face { font-family: ${family}; src: ${source} }`;

/** Load resources whose content is another one for the next document, and keep what they can of them. */
export const CACHE_ATTACKS: Attacks = {
  'scripts, styles, images and fonts of the same URLs': {
    html: `<link rel=stylesheet href="${SITE}/style.css"><script src="${SITE}/script.js"></script><script type=module src="${SITE}/module.js"></script><img src="${SITE}/image.svg"><style>${FACE('Loaded', `url(${SITE}/font.ttf)`)} p { font-family: Loaded }</style><p class=styled>x`,
  },
  'the same resources, at the URL of their site': {
    html: '<link rel=stylesheet href="style.css"><script src="script.js"></script><script type=module src="module.js"></script><img src="image.svg"><p class=styled>x',
    base_url: `${SITE}/`,
  },
  'fetches with each mode of the cache': `
    for (const cache of ['default', 'force-cache', 'reload', 'no-cache']) globalThis.kept = await (await fetch('${SITE}/data.txt', { cache })).text();
    for (let n = 0; n < 20; n++) await fetch('${SITE}/data.txt', { cache: 'force-cache', priority: 'high' });`,
  'a redirect that may be cached': `await fetch('${SITE}/moved.txt'); await fetch('${SITE}/moved.txt', { cache: 'force-cache' });`,
  'a preflight response that may be cached': `await fetch('${SITE}/data.txt', { method: 'PUT', headers: { 'x-kept': '1' }, body: 'x' });`,
  'headers that give orders for later requests': `
    await fetch('${SITE}/orders.txt');
    await fetch('${SITE}/orders.txt', { credentials: 'include' });`,
  'preloads and prefetches': {
    html: `<link rel=preload as=script href="${SITE}/script.js"><link rel=preload as=style href="${SITE}/style.css"><link rel=preload as=image href="${SITE}/image.svg"><link rel=preload as=fetch crossorigin href="${SITE}/data.txt"><link rel=prefetch href="${SITE}/script.js"><link rel=modulepreload href="${SITE}/module.js"><link rel=dns-prefetch href="${SITE}"><link rel=preconnect href="${SITE}"><p>x<script>1</script>`,
  },
  'speculation rules': {
    html: `<script type=speculationrules>{"prefetch":[{"source":"list","urls":["${SITE}/","/next"]}],"prerender":[{"source":"list","urls":["/next"],"eagerness":"immediate"}]}</script><p>x`,
  },
  'an import map': {
    html: `<script type=importmap>{"imports":{"kept":"data:text/javascript,export default 1","${SITE}/module.js":"data:text/javascript,export const version = 'mapped'"}}</script><script type=module>import kept from 'kept'; import { version } from '${SITE}/module.js'; document.body.append(kept, version)</script><p>x`,
  },
  'modules of the page and of workers': `
    await import('${SITE}/module.js');
    const code = "import('${SITE}/module.js').then(() => postMessage(1), () => postMessage(0))";
    globalThis.kept = new Worker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })), { type: 'module' });
    await new Promise((resolve) => { kept.onmessage = resolve; });`,
  'a script of a worker': `
    globalThis.kept = new Worker(URL.createObjectURL(new Blob(["importScripts('${SITE}/worker.js')"])));
    await new Promise((resolve) => { kept.onmessage = resolve; });`,
  'style sheets that import others': {
    html: `<style>@import url("${SITE}/style.css"); @import url("${SITE}/style.css") layer(kept); p { background: url("${SITE}/image.svg"); list-style: url("${SITE}/image.svg"); cursor: url("${SITE}/image.svg"), auto; mask: url("${SITE}/image.svg") }</style><p class=styled>x<script>1</script>`,
  },
  'fonts with the names of the next document': {
    html: `<style>${FACE('Kept')} ${FACE('Loaded')} ${FACE('Arial')} ${FACE('serif')} ${FACE('Tinos', 'local(Caladea)')} p { font-family: Kept } b { font-family: Loaded } i { font-family: Arial }</style><p>x\uE000 <b>x\uE000</b> <i>x\uE000</i><script>document.fonts.load('12px Kept', '\uE000')</script>`,
  },
  'fonts that scripts add': `
    for (const family of ['Kept', 'Loaded', 'Arial', 'monospace']) {
      const face = new FontFace(family, 'url(${SITE}/kept-font.ttf)', { sizeAdjust: '300%' });
      document.fonts.add(face);
      await face.load();
    }`,
  'decoded images that it keeps': `
    globalThis.kept = await Promise.all(Array.from({ length: 60 }, async () => {
      const image = new Image();
      image.src = '${SITE}/image.svg';
      await image.decode().catch(() => {});
      return image;
    }));
    kept.push(await createImageBitmap(new ImageData(900, 900)));`,
  'documents in frames, objects and SVG': {
    html: `<iframe src="${SITE}/frame.html"></iframe><object data="${SITE}/image.svg"></object><embed src="${SITE}/image.svg"><svg><use href="${SITE}/image.svg#a" /><image href="${SITE}/image.svg" width=20 height=20 /></svg><p>x<script>1</script>`,
  },
  'requests of other kinds': `
    const request = new XMLHttpRequest();
    request.open('GET', '${SITE}/data.txt', false);
    request.send();
    globalThis.kept = [request, new EventSource('${SITE}/data.txt')];
    kept[1].onerror = () => {};
    navigator.sendBeacon('${SITE}/data.txt', 'x');`,
};
