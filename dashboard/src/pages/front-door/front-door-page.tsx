/** The first page of visitors who are not signed in. Nothing on it calls an operation. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { sessionQuery } from '../../api/queries.ts';
import { Brand } from '../../components/brand.tsx';
import { CopyIcon } from '../../components/copy-button.tsx';
import { Icon } from '../../components/icon.tsx';
import { useTabTitle } from '../../components/page-header.tsx';
import { ThemeToggle } from '../../components/theme-toggle.tsx';
import { CallExample } from './call-example.tsx';
import { Examples } from './examples.tsx';
import classes from './front-door.module.css';

const wide = (name: string | undefined): string => `${classes.wide ?? ''} ${name ?? ''}`;

/** Shows what the service does, by three recorded examples, and how to call and host it. */
export function FrontDoorPage() {
  useTabTitle('Check an address, read a link, print a page');
  return (
    <div className={classes.page}>
      <a className="skip-link" href="#content">
        Skip to the content
      </a>
      <Top />
      <main id="content" tabIndex={-1}>
        <Hero />
        <div className={classes.wide}>
          <Examples />
          <p className={classes.note}>
            Requests and responses of this service, recorded. The linked page is on the same machine.
          </p>
        </div>
        <CodeSection />
        <HostSection />
      </main>
      <Foot />
    </div>
  );
}

function Top() {
  return (
    <header className={wide(classes.top)}>
      <Brand />
      <nav aria-label="Main">
        <Button variant="subtle" component="a" href="/reference" className="wide-only">
          API reference
        </Button>
        <Button variant="subtle" component="a" href="#self-host" className="wide-only">
          Self-hosting
        </Button>
        <ThemeToggle />
        <Button variant="default" renderRoot={(props) => <Link to="/sign-in" {...props} />}>
          Sign in
        </Button>
      </nav>
    </header>
  );
}

function Hero() {
  const isOpen = useQuery(sessionQuery).data?.signups === 'open';
  return (
    <section className={wide(classes.hero)} aria-label="About">
      <h1>
        <span>
          Check an <mark>address.</mark>
        </span>
        <span>
          Read a <mark>link.</mark>
        </span>
        <span>
          Print a <mark>page.</mark>
        </span>
      </h1>
      <div>
        <p className={classes.lead}>
          Email validation, URL metadata and HTML to PDF: three operations that every product needs, as one
          HTTP service on your own server.
        </p>
        <div className={classes.ways}>
          {isOpen ? (
            <Button size="md" renderRoot={(props) => <Link to="/sign-up" {...props} />}>
              Create account
            </Button>
          ) : (
            <Button size="md" renderRoot={(props) => <Link to="/sign-in" {...props} />}>
              Sign in to call it
            </Button>
          )}
          <Button size="md" variant="default" component="a" href="/reference">
            Read the reference
          </Button>
        </div>
      </div>
    </section>
  );
}

function CodeSection() {
  return (
    <section className={wide(classes.code)} aria-labelledby="call">
      <div>
        <h2 className={classes.h2} id="call">
          One key. Plain HTTP, or a typed client.
        </h2>
        <p className={classes.lead}>
          An error has a name, a sentence that says what to do, and a request ID.
        </p>
        <div className={classes.links}>
          <a href="/reference">
            API reference <Icon name="arrowRight" size={16} />
          </a>
          <a href="/openapi.json">
            openapi.json <Icon name="arrowRight" size={16} />
          </a>
          <a href="#self-host">
            Self-hosting <Icon name="arrowRight" size={16} />
          </a>
        </div>
      </div>
      <CallExample />
    </section>
  );
}

const COMMAND = 'cd utility-api && npm start';

function HostSection() {
  return (
    <section className={wide(classes.host)} aria-labelledby="self-host">
      <h2 className={classes.h2} id="self-host">
        It runs on your machine, and nowhere else.
      </h2>
      <div className={classes.command}>
        {/* A scrollable region must be focusable (axe: scrollable-region-focusable). */}
        <code className="mono" tabIndex={0} role="region" aria-label="The command that starts it">
          <i aria-hidden="true">$ </i>
          {COMMAND}
        </code>
        <CopyIcon text={COMMAND} what="the command" />
      </div>
      <dl>
        <div>
          <dt>One process</dt>
          <dd>Node 20 or newer on Linux. No Docker, no queue, no other server.</dd>
        </div>
        <div>
          <dt>One folder</dt>
          <dd>An embedded database holds accounts, keys and usage. One command backs it up.</dd>
        </div>
        <div>
          <dt>A quiet request log</dt>
          <dd>It holds times, statuses and errors. No addresses, URLs or documents.</dd>
        </div>
        <div>
          <dt>A guard on the way out</dt>
          <dd>Pages are fetched from public addresses only, decided for each connection.</dd>
        </div>
      </dl>
    </section>
  );
}

function Foot() {
  return (
    <footer className={wide(classes.foot)}>
      <span>Utility API, MIT license. This instance: {window.location.host}</span>
      <nav aria-label="Footer">
        <a href="/reference">API reference</a>
        <a href="/openapi.json">openapi.json</a>
        <a href="/healthz">Health</a>
        <Link to="/sign-in">Sign in</Link>
      </nav>
    </footer>
  );
}
