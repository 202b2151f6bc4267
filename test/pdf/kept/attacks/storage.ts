import { SITE } from '../support/changing-site.ts';
import type { Attacks } from './attack.ts';

/** Returns a script that checks that something was left: an attack that leaves nothing proves nothing. */
const expect = (condition: string): string => `if (!(${condition})) throw new Error('nothing is left');`;

const DATABASE = `
  const opening = indexedDB.open('kept', 3);
  opening.onupgradeneeded = () => opening.result.createObjectStore('kept', { autoIncrement: true });
  await new Promise((resolve, reject) => { opening.onsuccess = resolve; opening.onerror = reject; });
  globalThis.kept = opening.result;
  kept.onversionchange = () => {};
`;

/** Leave something in storage, in cookies, or in the page and its history. */
export const STORAGE_ATTACKS: Attacks = {
  'cookies of its host': `
    document.cookie = 'kept=attack; max-age=99999; path=/';
    await cookieStore.set({ name: 'kept2', value: 'attack', expires: Date.now() + 9e9 });
    ${expect("document.cookie.includes('kept=attack') && document.cookie.includes('kept2')")}`,
  'cookies of each parent domain': `
    const labels = location.hostname.split('.');
    labels.forEach((_, at) => { for (const dot of ['', '.']) document.cookie = 'kept' + at + '=attack; max-age=99999; domain=' + dot + labels.slice(at).join('.'); });
    ${expect("document.cookie.includes('kept0')")}`,
  'cookies with prefixes, partitioned ones, and for a path': `
    document.cookie = '__Host-kept=attack; secure; path=/; max-age=9999';
    document.cookie = '__Secure-kept=attack; secure; path=/; samesite=none; partitioned; max-age=9999';
    document.cookie = 'kept=attack; path=/deep/path; max-age=9999';
    for (const partitioned of [true, false]) await cookieStore.set({ name: '__Host-kept3', value: 'attack', partitioned, path: '/' }).catch(() => {});`,
  'more cookies than a jar holds': `
    for (let n = 0; n < 400; n++) document.cookie = 'kept' + n + '=' + 'x'.repeat(3000) + '; max-age=99999';
    ${expect('document.cookie.length > 10000')}`,
  'cookies of a site that it loads': {
    html: `<iframe src="${SITE}/plant.html"></iframe><img src="${SITE}/image.svg"><p>x<script>fetch('${SITE}/data.txt', { credentials: 'include' })</script>`,
  },
  'local and session storage': `
    for (const storage of [localStorage, sessionStorage]) storage.kept = 'attack'.repeat(20000);
    ${expect('localStorage.kept && sessionStorage.kept')}`,
  'local storage without room for more': `
    try { for (let n = 0; ; n++) localStorage['kept' + n] = 'x'.repeat(250000); } catch {}
    ${expect('localStorage.length > 5')}`,
  'session storage of a frame': `
    const frame = document.body.appendChild(document.createElement('iframe'));
    frame.contentWindow.sessionStorage.kept = frame.contentWindow.localStorage.kept = frame.contentWindow.name = 'attack';`,
  'a database with records': `${DATABASE}
    const transaction = kept.transaction('kept', 'readwrite');
    for (let n = 0; n < 50; n++) transaction.objectStore('kept').add('attack'.repeat(1000));
    await new Promise((resolve) => { transaction.oncomplete = resolve; });
    ${expect('(await indexedDB.databases()).length')}`,
  'a database that a worker writes to without end': `
    const code = 'const opening = indexedDB.open("kept", 2); opening.onupgradeneeded = () => opening.result.createObjectStore("kept", { autoIncrement: true }); opening.onsuccess = () => { const store = opening.result.transaction("kept", "readwrite").objectStore("kept"); (function next() { store.add("attack").onsuccess = next; })(); postMessage("open"); }';
    globalThis.kept = new Worker(URL.createObjectURL(new Blob([code])));
    await new Promise((resolve) => { kept.onmessage = resolve; });`,
  'a database whose deletion waits for the page': `${DATABASE}
    const code = 'indexedDB.deleteDatabase("kept").onblocked = () => { indexedDB.open("kept", 9); postMessage("blocked"); }';
    globalThis.deleter = new Worker(URL.createObjectURL(new Blob([code])));
    await new Promise((resolve) => { deleter.onmessage = resolve; });`,
  'the cache of responses': `
    const cache = await caches.open('kept');
    for (const url of ['/kept', '/', '${SITE}/data.txt', '${SITE}/script.js']) await cache.put(url, new Response('attack'));
    ${expect("await caches.match('/kept')")}`,
  files: `
    const folder = await navigator.storage.getDirectory();
    const file = await folder.getFileHandle('kept', { create: true });
    const stream = await file.createWritable();
    await stream.write('attack'.repeat(1000));
    stream.close();
    while ((await file.getFile()).size === 0);
    await (await folder.getDirectoryHandle('kept-folder', { create: true })).getFileHandle('kept', { create: true });`,
  'a file that a worker holds open': `
    const code = 'navigator.storage.getDirectory().then((folder) => folder.getFileHandle("kept", { create: true })).then((file) => file.createSyncAccessHandle()).then((handle) => { handle.write(new Uint8Array(5000)); self.kept = handle; postMessage("open"); }).catch((error) => postMessage(error.name))';
    globalThis.kept = new Worker(URL.createObjectURL(new Blob([code])));
    await new Promise((resolve) => { kept.onmessage = resolve; });`,
  'a storage bucket, and the wish that storage persists': `
    const bucket = await navigator.storageBuckets.open('kept', { persisted: true });
    await (await bucket.caches.open('kept')).put('/kept', new Response('attack'));
    await navigator.storage.persist();
    await document.requestStorageAccess?.().catch(() => {});`,
  'shared storage': `
    await globalThis.sharedStorage?.set('kept', 'attack').catch(() => {});
    await globalThis.sharedStorage?.worklet.addModule(URL.createObjectURL(new Blob(['1'], { type: 'text/javascript' }))).catch(() => {});`,
  'a service worker': `
    for (const url of ['/sw.js', 'data:text/javascript,', URL.createObjectURL(new Blob(['onfetch = (event) => event.respondWith(new Response("attack"))'], { type: 'text/javascript' }))])
      await navigator.serviceWorker.register(url, { scope: '/' }).catch(() => {});`,
  'the name of the page': `
    name = 'kept attack'; status = 'kept'; document.title = 'kept';
    ${expect("name === 'kept attack'")}`,
  'entries of the history, with states': `
    for (let n = 0; n < 60; n++) history.pushState({ kept: 'attack'.repeat(99) }, '', '/kept/' + n + '?kept#kept');
    history.go(-3);
    ${expect('history.length > 40')}`,
  'a state of the history at its own URL': "history.pushState('kept', ''); history.replaceState('kept', '')",
  'most changes of the history that Chromium allows in ten seconds': `
    let n = 0;
    const change = () => { n += 1; history.replaceState(n, ''); return history.state === n; };
    while (n < 500 && change());
    for (let waits = 0; waits < 60 && !change(); waits += 1) await new Promise((resolve) => setTimeout(resolve, 250));
    for (let left = 185; left > 0; left -= 1) change();
    ${expect('n > 200 && history.state === n')}`,
  'a loop of entries of the history': `
    for (let n = 0; n < 500; n++) try { history.pushState(n, '', '#' + n); } catch { break; }
    setInterval(() => { try { history.replaceState(Math.random(), ''); } catch {} }, 50);`,
  'how it scrolls, and where': `
    history.scrollRestoration = 'manual';
    document.body.style.height = '9000px';
    scrollTo(0, 5000);`,
  'the state of the navigation API': `
    navigation.updateCurrentEntry({ state: 'kept' });
    await navigation.navigate('#kept', { state: 'attack', history: 'push' }).finished;`,
  'a referrer that is its whole URL': {
    html: '<meta name=referrer content=unsafe-url><p id=o>x<script>history.replaceState(1, "", "/secret/kept?a=b"); document.body.append(location.pathname)</script>',
  },
  'the domain of the document': `
    try { document.domain = location.hostname; } catch {}
    try { document.domain = location.hostname.split('.').slice(1).join('.'); } catch {}`,
  'a fragment': `location.hash = 'kept'; location.hash = 'x'; location.hash = 'kept2';`,
  'blob URLs': `
    globalThis.kept = Array.from({ length: 200 }, () => URL.createObjectURL(new Blob(['attack'.repeat(500)])));`,
  'links that were visited': {
    html: `<iframe src="${SITE}/frame.html"></iframe><iframe src="${SITE}/"></iframe><a id=a href="${SITE}/frame.html" target=f>x</a><iframe name=f></iframe><script>a.click(); history.pushState(1, "", "/x"); history.replaceState(1, "", "/")</script>`,
  },
  'everything at the URL of a site': {
    html: `<p>x<script>
      localStorage.kept = sessionStorage.kept = name = 'attack';
      document.cookie = 'kept=attack; max-age=9999';
      document.cookie = 'kept2=attack; max-age=9999; domain=site.example';
      history.pushState('kept', '', '/kept');
      indexedDB.open('kept');
      caches.open('kept').then((cache) => cache.put('/data.txt', new Response('attack')));
      navigator.storage.getDirectory().then((folder) => folder.getFileHandle('kept', { create: true }));
    </script>`,
    base_url: `${SITE}/`,
  },
};
