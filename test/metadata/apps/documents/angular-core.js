import '@angular/compiler';
import { Component, provideZonelessChangeDetection } from '@angular/core';
import { bootstrapApplication, Meta, Title } from '@angular/platform-browser';

/** Declares a component without decorators, which would need a compiler. */
export function declare(type, template, more = {}) {
  return Component({ selector: 'app-root', template, ...more })(type) ?? type;
}

export function setHead(injector, title, description) {
  injector.get(Title).setTitle(title);
  const meta = injector.get(Meta);
  meta.addTag({ name: 'description', content: description });
  meta.addTag({ property: 'og:title', content: title });
}

export function start(type, providers = []) {
  bootstrapApplication(type, { providers: [provideZonelessChangeDetection(), ...providers] }).catch(
    (error) => {
      document.title = String(error);
    },
  );
}
