import { inject, Injector } from '@angular/core';
import { ActivatedRoute, provideRouter, RouterOutlet } from '@angular/router';
import { declare, setHead, start } from './angular-core.js';

class Product {
  name = 'Product';

  constructor() {
    setHead(inject(Injector), `Product ${inject(ActivatedRoute).snapshot.params.id}`, 'A product');
  }
}
class App {
  name = 'Shop';
}
const ProductPage = declare(Product, '<h1>{{ name }}</h1>', { selector: 'app-product' });
start(declare(App, '{{ name }}<router-outlet />', { imports: [RouterOutlet] }), [
  provideRouter([
    { path: '', pathMatch: 'full', redirectTo: 'products/7' },
    { path: 'products/:id', component: ProductPage },
  ]),
]);
