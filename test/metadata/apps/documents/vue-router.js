import { createApp, h } from 'vue';
import { createRouter, createWebHistory, RouterView } from 'vue-router';
import { setHead } from './set-head.js';

const router = createRouter({
  history: createWebHistory(),
  routes: [
    { path: '/', redirect: '/products/7' },
    { path: '/products/:id', component: () => import('./vue-route.js'), meta: { title: 'Product' } },
  ],
});
router.afterEach((to) => setHead(`${to.meta.title} ${to.params.id}`, 'A product'));
createApp({ render: () => h(RouterView) })
  .use(router)
  .mount('#root');
