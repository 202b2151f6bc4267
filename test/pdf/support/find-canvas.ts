/**
 * Lets pdf.js find the canvas of the tests. Its optional dependency `@napi-rs/canvas` (34 MB) is overridden
 * in package.json, so that `npm start` does not install it for the dashboard, whose pdf.js runs in browsers.
 */
import { registerHooks } from 'node:module';

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === '@napi-rs/canvas' ? 'napi-canvas' : specifier, context),
});
