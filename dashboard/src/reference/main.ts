/**
 * The API reference page: Scalar with /openapi.json.
 * It loads nothing from other hosts, sends no telemetry and no API requests: keys do not belong in a browser.
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

function showError(message: string): void {
  const root = document.getElementById('reference');
  if (!root) return;
  const note = document.createElement('p');
  note.className = 'reference-failure';
  note.setAttribute('role', 'alert');
  note.textContent = message;
  root.replaceChildren(note);
}

/** Sets the nonce of every style element: Scalar sets it on only one, and the policy allows no other. */
function allowStyleElements(): void {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.content ?? '';
  const createElement = document.createElement.bind(document);
  document.createElement = (name: string, options?: ElementCreationOptions) => {
    const element = createElement(name, options);
    if (element instanceof HTMLStyleElement) element.nonce = nonce;
    return element;
  };
}

/** Names Scalar's copy buttons, which have an icon only (axe: button-name), as they are added. */
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
    showError('The API description could not be loaded. Reload the page in a moment.');
    return;
  }
  const script = document.createElement('script');
  script.src = scalarUrl;
  script.addEventListener('error', () => showError('The reference could not be loaded. Reload the page.'));
  script.addEventListener('load', () => {
    const { Scalar } = window as unknown as { Scalar: Scalar };
    Scalar.createApiReference('#reference', CONFIGURATION);
  });
  document.head.append(script);
}

void start();
