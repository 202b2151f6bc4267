/**
 * The API reference, a page of its own: Scalar over /openapi.json, all of it from this service.
 * Nothing is asked of other hosts, no request can be sent from here (keys do not belong into a browser), no telemetry.
 */
import scalarUrl from 'virtual:scalar';
import './reference.css';

interface Scalar {
  createApiReference: (selector: string, configuration: Record<string, unknown>) => void;
}

const CONFIGURATION = {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  hideTestRequestButton: true,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: 'json',
  hideDarkModeToggle: true,
  darkMode: document.documentElement.getAttribute('data-mantine-color-scheme') === 'dark',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  metaData: { title: 'API reference · Utility API' },
};

function showBar(): void {
  const bar = document.createElement('nav');
  bar.className = 'reference-bar';
  bar.setAttribute('aria-label', 'Dashboard');
  const link = document.createElement('a');
  link.href = '/';
  link.textContent = '← Dashboard';
  const contract = document.createElement('a');
  contract.href = '/openapi.json';
  contract.textContent = 'openapi.json';
  bar.append(link, contract);
  document.body.prepend(bar);
}

function showFailure(sentence: string): void {
  const place = document.getElementById('reference');
  if (!place) return;
  const note = document.createElement('p');
  note.className = 'reference-failure';
  note.setAttribute('role', 'alert');
  note.textContent = sentence;
  place.replaceChildren(note);
}

/** Scalar gives only one of its style elements the nonce: here every one gets it, so that the policy can stay strict. */
function allowStyleElements(): void {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.content ?? '';
  const createElement = document.createElement.bind(document);
  document.createElement = (name: string, options?: ElementCreationOptions) => {
    const element = createElement(name, options);
    if (element instanceof HTMLStyleElement) element.nonce = nonce;
    return element;
  };
}

/** Scalar's copy buttons have a picture and no name (axe: button-name): each gets one as it appears. */
function nameButtons(): void {
  const name = () => {
    for (const button of document.querySelectorAll('#reference button:not([aria-label])')) {
      if (button.className.includes('copy-button')) button.setAttribute('aria-label', 'Copy');
    }
  };
  new MutationObserver(name).observe(document.body, { childList: true, subtree: true });
}

async function start(): Promise<void> {
  showBar();
  nameButtons();
  allowStyleElements();
  const contract = await fetch(CONFIGURATION.url).catch(() => null);
  if (!contract?.ok) {
    showFailure('The API description cannot be read just now. Reload the page in a moment.');
    return;
  }
  const script = document.createElement('script');
  script.src = scalarUrl;
  script.addEventListener('error', () => showFailure('The reference could not be loaded. Reload the page.'));
  script.addEventListener('load', () => {
    const { Scalar } = window as unknown as { Scalar: Scalar };
    Scalar.createApiReference('#reference', CONFIGURATION);
  });
  document.head.append(script);
}

void start();
