/**
 * The API reference page: Scalar with /openapi.json and code samples of our own.
 * It loads nothing from other hosts, sends no telemetry and no API requests: keys do not belong in a browser.
 */
import scalarUrl from 'virtual:scalar';
import { addCodeSamples, type OpenApiDocument } from './code-samples.ts';
import './reference.css';

interface Scalar {
  createApiReference: (selector: string, configuration: Record<string, unknown>) => void;
}

const CONFIGURATION = {
  withDefaultFonts: false,
  telemetry: false,
  hideTestRequestButton: true,
  hideClientButton: true,
  // The samples of the document replace what Scalar would generate: those run as copied.
  hiddenClients: true,
  defaultOpenAllTags: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: 'json',
  hideDarkModeToggle: true,
  darkMode: document.documentElement.getAttribute('data-mantine-color-scheme') === 'dark',
  metaData: { title: 'API reference · Utility API' },
};

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
  nameButtons();
  allowStyleElements();
  const response = await fetch('/openapi.json').catch(() => null);
  if (!response?.ok) {
    showError('The API description could not be loaded. Reload the page in a moment.');
    return;
  }
  const content = addCodeSamples((await response.json()) as OpenApiDocument, window.location.origin);
  const script = document.createElement('script');
  script.src = scalarUrl;
  script.addEventListener('error', () => showError('The reference could not be loaded. Reload the page.'));
  script.addEventListener('load', () => {
    const { Scalar } = window as unknown as { Scalar: Scalar };
    Scalar.createApiReference('#reference', { ...CONFIGURATION, content });
  });
  document.head.append(script);
}

void start();
