/** The parts of the package oidc-provider that the tests use; it has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Context {
    path: string;
    status: number;
    body: unknown;
    oidc: {
      provider: Provider;
      client?: { clientId: string };
      session?: { accountId: string };
    };
  }

  class Grant {
    constructor(properties: { clientId: string | undefined; accountId: string | undefined });
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  export class Provider {
    Grant: typeof Grant;
    constructor(
      issuer: string,
      configuration: {
        findAccount(context: Context, sub: string): Promise<object>;
        interactions: { url(context: Context, interaction: { uid: string }): string };
        loadExistingGrant(context: Context): Promise<Grant>;
        [setting: string]: unknown;
      },
    );
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options: { mergeWithLastSubmission: boolean },
    ): Promise<void>;
  }
}
