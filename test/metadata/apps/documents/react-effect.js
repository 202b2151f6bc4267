// An effect that sets the title after a delay, as libraries for heads do.
import { createElement as h, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { setHead } from './set-head.js';

function App() {
  useEffect(() => {
    const timer = setTimeout(() => setHead('Product 7', 'A product'), 800);
    return () => clearTimeout(timer);
  }, []);
  return h('h1', null, 'Product 7');
}

createRoot(document.querySelector('#root')).render(h(App));
