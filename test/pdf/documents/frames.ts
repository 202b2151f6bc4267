/**
 * Documents whose state depends on frames of the compositor: each writes what its frames have brought. Their
 * PDFs differ if a frame comes earlier or later than at the last print.
 */

const page = (body: string, css = ''): string =>
  `<!doctype html><title>Frames</title><style>body{font:16px sans-serif}${css}</style>${body}<pre id=log></pre>
<script>const write = (text) => { document.querySelector('#log').append(text + '\\n'); };</script>`;

const script = (source: string): string => `<script>{${source}}</script>`;
const ITEMS = Array.from({ length: 40 }, (_, at) => `<p class=item id=i${at}>Item ${at}</p>`).join('');
const TALL = '.item{height:60px;margin:0;border-top:1px solid}';

/** The documents by the name of what needs frames. */
export const FRAME_DOCUMENTS: Record<string, string> = {
  autofocus:
    '<!doctype html><title>Form</title><form><label>Name <input autofocus value="Ada"></label> <button>Send</button></form><p>The field has a focus ring or not.</p>',
  'autofocus by script':
    '<!doctype html><title>Form</title><input id=name value=Ada><script>document.querySelector("#name").focus()</script>',
  IntersectionObserver:
    page(ITEMS, `${TALL}.seen{background:#cfc}`) +
    script(`const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) if (isIntersecting) {
        target.classList.add('seen'); write(target.id + ' is seen');
      }
    });
    for (const item of document.querySelectorAll('.item')) observer.observe(item);`),
  'lazy images of an observer':
    page(Array.from({ length: 12 }, (_, at) => `<img data-at=${at} width=300 height=150 alt="">`).join('')) +
    script(`const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) if (isIntersecting) {
        target.src = 'data:image/svg+xml,' + encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="300" height="150"><rect width="300" height="150" fill="hsl(' + target.dataset.at * 30 + ',60%,60%)"/></svg>');
        observer.unobserve(target);
      }
    }, { rootMargin: '200px' });
    for (const image of document.images) observer.observe(image);`),
  ResizeObserver:
    page('<div id=box style="width:200px;background:#eef">box</div>') +
    script(`const box = document.querySelector('#box');
    let rounds = 0;
    new ResizeObserver(([{ contentRect }]) => {
      write('width ' + contentRect.width);
      rounds += 1;
      if (rounds < 6) setTimeout(() => { box.style.width = 200 + rounds * 30 + 'px'; }, 5);
    }).observe(box);`),
  'scroll events':
    page(`<div id=list style="height:200px;overflow:auto">${ITEMS}</div>`, TALL) +
    script(`const list = document.querySelector('#list');
    list.addEventListener('scroll', () => write('at ' + list.scrollTop));
    list.addEventListener('scrollend', () => write('end at ' + list.scrollTop));
    for (const at of [1, 2, 3, 4]) setTimeout(() => list.scrollTo(0, at * 90), at * 20);`),
  'smooth scrolling':
    page(`<div id=list style="height:200px;overflow:auto;scroll-behavior:smooth">${ITEMS}</div>`, TALL) +
    script(`document.querySelector('#list').scrollTo(0, 700);`),
  'resize of a frame':
    page('<iframe id=frame style="width:200px;height:60px"></iframe>') +
    script(`const frame = document.querySelector('#frame');
    frame.contentWindow.addEventListener('resize', () => write('frame ' + frame.contentWindow.innerWidth));
    for (const at of [1, 2, 3]) setTimeout(() => { frame.style.width = 200 + at * 50 + 'px'; }, at * 15);`),
  'CSS transition':
    page(
      '<div id=box>box</div>',
      '#box{width:100px;background:#cde;transition:width .6s ease-in,background 1s}#box.wide{width:420px;background:#fc9}',
    ) +
    script(`const box = document.querySelector('#box');
    for (const type of ['transitionrun', 'transitionstart', 'transitionend'])
      box.addEventListener(type, ({ propertyName }) => write(type + ' ' + propertyName));
    requestAnimationFrame(() => requestAnimationFrame(() => box.classList.add('wide')));`),
  'CSS animation':
    page(
      '<div id=box>box</div>',
      '@keyframes grow{from{width:50px}to{width:500px}}#box{background:#cde;animation:grow .4s 2 alternate both}',
    ) +
    script(`for (const type of ['animationstart', 'animationiteration', 'animationend'])
      document.querySelector('#box').addEventListener(type, () => write(type));`),
  'Web Animations':
    page('<div id=box style="background:#cde;width:80px">box</div>') +
    script(`const animation = document.querySelector('#box').animate([{ width: '80px' }, { width: '400px' }], { duration: 300, fill: 'forwards' });
    animation.onfinish = () => write('finished');
    animation.ready.then(() => write('ready'));`),
  'animation frames':
    page('<div id=box style="background:#cde;width:10px">box</div>') +
    script(`let frames = 0;
    const step = () => {
      frames += 1;
      document.querySelector('#box').style.width = frames * 8 + 'px';
      if (frames < 50) requestAnimationFrame(step); else write(frames + ' frames');
    };
    requestAnimationFrame(step);`),
  'content-visibility':
    page(
      ITEMS,
      `${TALL}.item{content-visibility:auto;contain-intrinsic-size:auto 20px;height:auto;padding:20px}`,
    ) +
    script(`let skipped = 0;
    document.addEventListener('contentvisibilityautostatechange', ({ skipped: isSkipped, target }) => {
      skipped += isSkipped ? 1 : 0; write(target.id + (isSkipped ? ' is skipped' : ' is shown'));
    }, true);`),
  OffscreenCanvas:
    page('<canvas id=canvas width=300 height=100></canvas>') +
    script(`const canvas = document.querySelector('#canvas').transferControlToOffscreen();
    const context = canvas.getContext('2d');
    let frames = 0;
    const step = () => {
      frames += 1;
      context.fillStyle = 'hsl(' + frames * 20 + ',70%,50%)';
      context.fillRect(frames * 15, 10, 12, 80);
      if (frames < 18) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);`),
};
