import { createApp, defineAsyncComponent, h, ref, watchEffect } from 'vue';
import { setHead } from './set-head.js';

const Late = defineAsyncComponent(() => import('./vue-route.js'));
createApp({
  setup() {
    const name = ref('');
    setTimeout(() => (name.value = 'Product 7'), 300);
    watchEffect(() => name.value && setHead(name.value, 'A product'));
    return () => h(Late, { name: name.value });
  },
}).mount('#root');
