import { SITE } from '../support/changing-site.ts';
import type { Attacks } from './attack.ts';

const HAN = '<p>骨直海角今令曜飯<p style="font-family:serif">骨直海角';
const SCRIPT = '<script>1</script>';

/** Change how a page looks: its language, fonts, sizes, colors and media, and what it asks people. */
export const APPEARANCE_ATTACKS: Attacks = {
  'Han characters in Japanese': { html: `<html lang=ja>${HAN}${SCRIPT}` },
  'Han characters in the Chinese of Taiwan': { html: `<html lang=zh-Hant-TW>${HAN}${SCRIPT}` },
  'Han characters in Korean, by a header and a member': {
    html: `<meta http-equiv=content-language content=ko>${HAN}${SCRIPT}`,
    lang: 'ko',
  },
  'Han characters in Japanese, without a script': { html: `<html lang=ja>${HAN}` },
  'a language of each paragraph, set by a script': `for (const lang of ['ja', 'zh-CN', 'zh-HK', 'ko', 'vi', 'tr', 'ar']) { document.documentElement.lang = lang; document.body.append('骨直海角'); document.body.offsetWidth; }`,
  'a zoom and large fonts': `
    document.body.style.zoom = 3; document.documentElement.style.fontSize = '40px';
    document.documentElement.style.textSizeAdjust = '300%'; visualViewport.scale; document.documentElement.style.zoom = 2;`,
  'a viewport': {
    html: `<meta name=viewport content="width=100, initial-scale=3, user-scalable=no, interactive-widget=resizes-content"><p>x${SCRIPT}`,
  },
  'dark colors': {
    html: `<meta name=color-scheme content=dark><meta name=theme-color content=red><style>:root { color-scheme: dark; accent-color: red; background: black; forced-color-adjust: none }</style><p>x${SCRIPT}`,
  },
  'a huge sheet': {
    html: `<style>@page { size: 40in 40in; margin: 0; @top-left { content: "kept" } } @page :first { margin: 5in }</style><p>x${SCRIPT}`,
  },
  'a tiny sheet, turned': {
    html: `<style>@page { size: A6 landscape; margin: 30mm; page-orientation: rotate-left }</style><p>x${SCRIPT}`,
  },
  'all options of the sheet': {
    html: `<p>x${SCRIPT}`,
    page_size: 'A5',
    orientation: 'landscape',
    scale: 2,
    margin_top: '50mm',
    print_background: false,
    page_ranges: '1',
    header_html: 'kept',
    footer_html: 'kept {{page}}',
  },
  'tags, bookmarks and metadata': {
    html: `<h1>kept</h1><p>x${SCRIPT}`,
    tagged: true,
    outline: true,
    lang: 'ja',
    title: 'kept',
    author: 'kept',
    watermark_html: 'kept',
    attachments: [],
  },
  'the medium of screens': {
    html: `<p>x<script>matchMedia('print').onchange = matchMedia('screen').onchange = () => document.body.append('kept')</script>`,
    media: 'screen',
  },
  'a document without scripts that has some': {
    html: '<p>x<script>document.write("kept")</script><noscript>none</noscript>',
    javascript: false,
  },
  'a document that runs from right to left, in columns': {
    html: `<html dir=rtl style="writing-mode:vertical-rl;columns:3"><p>x${SCRIPT}`,
  },
  quirks: {
    html: `<table><td>x</table><p>x<script>document.body.bgColor = 'black'; document.fgColor = 'red'; document.linkColor = document.vlinkColor = document.alinkColor = 'red'</script>`,
  },
  'styles of counters, fonts and layers': {
    html: `<style>@counter-style decimal { system: cyclic; symbols: k e p t } @counter-style disc { system: cyclic; symbols: "k" } @font-feature-values Arial { @styleset { kept: 1 } } @font-palette-values --kept { font-family: Arial } @layer z { * { color: red !important } } @namespace kept url(x); html { counter-reset: n 9; quotes: "a" "b" }</style><ol><li>x</ol>${SCRIPT}`,
  },
  'canvases and their state': `
    globalThis.kept = Array.from({ length: 40 }, () => {
      const canvas = document.body.appendChild(document.createElement('canvas'));
      const context = canvas.getContext('2d', { willReadFrequently: Math.random() > 0.5 });
      Object.assign(context, { font: '40px Kept', fillStyle: 'red', filter: 'blur(3px)', letterSpacing: '9px', globalAlpha: 0.1 });
      context.scale(3, 3); context.fillText('kept', 9, 9);
      return context;
    });
    kept.push(new OffscreenCanvas(500, 500).getContext('2d'));`,
  'contexts of WebGL and WebGPU': `
    globalThis.kept = Array.from({ length: 30 }, (_, n) => document.createElement('canvas').getContext(['webgl', 'webgl2', 'bitmaprenderer'][n % 3]));
    await navigator.gpu?.requestAdapter().catch(() => {});`,
  'focus, selection and the caret': {
    html: `<input autofocus value=kept spellcheck=true lang=fr><textarea autofocus>mispeled</textarea><p tabindex=0 autofocus id=p contenteditable>kept<script>p.focus(); getSelection().selectAllChildren(p); document.querySelector('input').select(); document.documentElement.focus()</script>`,
  },
  'the orientation of the screen, by the page and by frames': `
    const frame = document.body.appendChild(document.createElement('iframe'));
    const sandboxed = document.createElement('iframe');
    sandboxed.sandbox = 'allow-scripts allow-orientation-lock';
    sandboxed.srcdoc = '<script>screen.orientation.lock("portrait").catch(() => {})<\\/script>';
    document.body.append(sandboxed);
    const other = frame.contentWindow.ScreenOrientation.prototype;
    for (const ask of [() => screen.orientation.lock('portrait'), () => frame.contentWindow.screen.orientation.lock('portrait'), () => other.lock.call(screen.orientation, 'portrait')])
      await Promise.resolve().then(ask).catch(() => {});`,
  'the full screen, the pointer, and the keyboard': `
    for (const ask of [() => document.documentElement.requestFullscreen(), () => document.body.requestPointerLock(), () => navigator.keyboard?.lock(), () => screen.orientation.lock('portrait'), () => navigator.wakeLock.request('screen'), () => document.createElement('video').requestPictureInPicture(), () => navigator.virtualKeyboard?.show()])
      await Promise.resolve().then(ask).catch(() => {});`,
  permissions: `
    navigator.geolocation.getCurrentPosition(() => {}, () => {});
    for (const ask of [() => globalThis.Notification?.requestPermission(), () => navigator.mediaDevices?.getUserMedia({ audio: true, video: true }), () => navigator.requestMIDIAccess?.(), () => navigator.clipboard?.writeText('kept'), () => navigator.clipboard?.readText(), () => navigator.storage.persist(), () => globalThis.queryLocalFonts?.(), () => navigator.credentials?.get({ password: true, mediation: 'silent' }), () => document.requestStorageAccess?.()])
      await Promise.race([Promise.resolve().then(ask).catch(() => {}), new Promise((next) => setTimeout(next, 50))]);`,
  'dialogs, popovers and print()': {
    html: `<dialog id=d>kept</dialog><div popover id=q>kept</div><p>x<script>alert('kept'); confirm('kept'); prompt('kept', 'kept'); print(); d.showModal(); q.showPopover(); resizeTo(100, 100); moveTo(9, 9); resizeBy(50, 50)</script>`,
  },
  'pop-up windows': `
    for (let n = 0; n < 30; n++) open(n % 2 ? 'about:blank' : '${SITE}/', 'kept' + n, 'width=100,height=100');
    Object.assign(document.body.appendChild(document.createElement('a')), { href: '${SITE}/', target: 'kept', rel: 'opener' }).click();`,
  'forms that browsers remember': {
    html: `<form target=f action="${SITE}/frame.html" id=a autocomplete=on><input name=kept value=kept><input type=password name=p value=kept><input type=checkbox checked></form><iframe name=f></iframe><script>a.requestSubmit()</script>`,
  },
  'view transitions': {
    html: `<style>@view-transition { navigation: auto } * { view-transition-name: none } p { view-transition-name: kept }</style><p id=p>x<script>document.startViewTransition?.(() => { p.textContent = 'kept' }).finished.catch(() => {})</script>`,
  },
  'sound, films and speech': `
    const context = new AudioContext();
    context.createOscillator().connect(context.destination);
    navigator.mediaSession.metadata = new MediaMetadata({ title: 'kept' });
    globalThis.kept = [context, new Audio('data:audio/wav;base64,UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=')];
    kept[1].play().catch(() => {});
    globalThis.speechSynthesis?.speak(new SpeechSynthesisUtterance('kept'));`,
  'a hundred pages with a running header': {
    html: `${'<p style="break-after:page">x'.repeat(100)}${SCRIPT}`,
    header_html: '<b>kept</b>',
    margin_top: '40mm',
  },
};
