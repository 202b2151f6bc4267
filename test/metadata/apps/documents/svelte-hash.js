import { mount } from 'svelte';
import App from './Hash.svelte';

mount(App, { target: document.querySelector('#root') });
