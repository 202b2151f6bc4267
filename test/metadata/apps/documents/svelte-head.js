import { mount } from 'svelte';
import App from './Head.svelte';

mount(App, { target: document.querySelector('#root'), props: { name: 'Product 7', text: 'A product' } });
