import { inject, Injector, signal } from '@angular/core';
import { declare, setHead, start } from './angular-core.js';

class App {
  product = signal(null);
  injector = inject(Injector);

  constructor() {
    void this.load();
  }

  async load() {
    const product = await (await fetch('/api/product.json')).json();
    this.product.set(product);
    setHead(this.injector, product.name, product.text);
  }
}
start(declare(App, '@if (product(); as p) { <h1>{{ p.name }}</h1> }'));
