// A route in a chunk of its own.
import { createElement as h, lazy, Suspense } from 'react';
import { createRoot } from 'react-dom/client';

const Route = lazy(() => import('./react-route.js'));
createRoot(document.querySelector('#root')).render(h(Suspense, { fallback: h('p', null, '…') }, h(Route)));
