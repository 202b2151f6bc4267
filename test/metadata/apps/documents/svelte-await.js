import { mount } from 'svelte';
import App from './Await.svelte';

mount(App, { target: document.querySelector('#root') });
