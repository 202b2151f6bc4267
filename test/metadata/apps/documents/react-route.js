import { createElement as h, Fragment } from 'react';

export default function Route() {
  return h(
    Fragment,
    null,
    h('title', null, 'Product 7'),
    h('meta', { name: 'description', content: 'A product' }),
    h('meta', { property: 'og:title', content: 'Product 7' }),
  );
}
