import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getMetadata, type GetMetadataRequest } from '#metadata';
import { openSiteEgress, type SiteEgress } from '../support/site-egress.ts';

const CONTACT = 'https://operator.example/bot';

/** Redirects to /end by cookie, so that each request of a visit is seen. */
function openWorld(): Promise<SiteEgress> {
  return openSiteEgress({
    answer(request, response) {
      if (request.url === '/') response.writeHead(302, { location: '/refresh' }).end();
      else {
        const refresh =
          request.url === '/refresh'
            ? '<meta http-equiv=refresh content="0;url=/end">'
            : '<title>End</title>';
        response.writeHead(200, { 'content-type': 'text/html' }).end(refresh);
      }
    },
    egress: { userAgent: null, contactUrl: CONTACT },
  });
}

function read({ egress, origin, clock }: SiteEgress, change: Partial<GetMetadataRequest>) {
  const request = { url: `${origin}/`, followRedirects: true, timeoutMs: 9000, details: false, ...change };
  return getMetadata(request, { fetchPage: egress.fetchPage, client: 'account', now: () => clock.now });
}

describe('the language and the user agent of a request', () => {
  it('reach the site with every request of the visit: the page, its redirects and its refreshes', async () => {
    await using world = await openWorld();
    const { title } = await read(world, { language: 'de-CH, de;q=0.9', userAgent: 'preview' });
    assert.equal(title, 'End');
    const { requests } = world.site;
    assert.deepEqual(
      requests.map(({ path, headers }) => [path, headers['accept-language'], headers['user-agent']]),
      ['/', '/refresh', '/end'].map((path) => [
        path,
        'de-CH, de;q=0.9',
        `Mozilla/5.0 (compatible; UtilityAPIbot/1.0; +${CONTACT}) (link preview; one page at the request of a user)`,
      ]),
    );
  });

  it('are no language and the bot by default, with the contact page of the operator', async () => {
    await using world = await openWorld();
    await read(world, {});
    const [request] = world.site.requests;
    assert.equal(request?.headers['accept-language'], undefined);
    assert.equal(request?.headers['user-agent'], `Mozilla/5.0 (compatible; UtilityAPIbot/1.0; +${CONTACT})`);
  });

  it('user_agent=browser sends the headers of a current browser', async () => {
    await using world = await openWorld();
    await read(world, { userAgent: 'browser' });
    const [request] = world.site.requests;
    assert.match(
      String(request?.headers['user-agent']),
      /^Mozilla\/5\.0 \(X11; Linux x86_64\) .*Chrome\/\d+/,
    );
    assert.match(String(request?.headers.accept), /^text\/html,/);
    assert.equal(request?.headers['accept-language'], 'en-US,en;q=0.9');
    assert.equal(request?.headers['upgrade-insecure-requests'], '1');
  });
});
