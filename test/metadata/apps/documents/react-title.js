// React 19 hoists title and meta elements to the head.
import { createElement as h, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

function Product({ product }) {
  return h(
    'main',
    null,
    h('title', null, product.name),
    h('meta', { name: 'description', content: product.text }),
    h('meta', { property: 'og:title', content: product.name }),
    h('h1', null, product.name),
  );
}

function App() {
  const [product, setProduct] = useState(null);
  useEffect(() => {
    const load = async () => setProduct(await (await fetch('/api/product.json')).json());
    void load();
  }, []);
  return product === null ? h('p', null, 'Loading…') : h(Product, { product });
}

createRoot(document.querySelector('#root')).render(h(App));
