import { inject, Injector } from '@angular/core';
import { declare, setHead, start } from './angular-core.js';

class App {
  name = 'Product 7';
  constructor() {
    setHead(inject(Injector), this.name, 'A product');
  }
}
start(declare(App, '<h1>{{ name }}</h1>'));
