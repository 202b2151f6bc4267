import { createApp, h } from 'vue';
import { setHead } from './set-head.js';

createApp({
  data: () => ({ product: null }),
  async mounted() {
    this.product = await (await fetch('/api/product.json')).json();
    setHead(this.product.name, this.product.text);
  },
  render() {
    return h('h1', this.product?.name ?? '…');
  },
}).mount('#root');
