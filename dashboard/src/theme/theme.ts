/**
 * Mantine's theme: indigo, Inter, and colors with WCAG AA contrast in both schemes, which Mantine's defaults
 * miss for dimmed text, placeholders, light badges and errors.
 */
import {
  Alert,
  Badge,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  createTheme,
  Menu,
  Modal,
  Select,
  TagsInput,
  Tooltip,
} from '@mantine/core';

/**
 * The nonce that the Content-Security-Policy requires of this page's style elements. The service writes a new
 * one into <meta property="csp-nonce"> with every response. Empty under the development server, which sends
 * no policy.
 */
export const styleNonce: string =
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

// Mantine's scroll lock gets the nonce through the package get-nonce, which reads webpack's global.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });

const brand: MantineColorsTuple = [
  '#eef0ff',
  '#dfe3fe',
  '#bcc3f8',
  '#98a2f2',
  '#7984ec',
  '#6570e8',
  '#5a65e6',
  '#4954cc',
  '#3f49b4',
  '#333c9c',
];

// White on Mantine's own red 7 is 3.8 : 1.
const red: MantineColorsTuple = [
  '#fff5f5',
  '#ffe3e3',
  '#ffc9c9',
  '#ffa8a8',
  '#ff8787',
  '#f46060',
  '#e03e3e',
  '#c92a2a',
  '#b02323',
  '#961c1c',
];

// Mantine's dark greys are warm; beside an indigo they look brown.
const dark: MantineColorsTuple = [
  '#d8dce3',
  '#bfc5cf',
  '#8d95a3',
  '#6e7684',
  '#434955',
  '#363c47',
  '#2a2f38',
  '#1b1e24',
  '#171a1f',
  '#121419',
];

// Dropdowns open inside <main>: at the end of the body they would be outside every landmark (axe: region).
const overlays = { portalProps: { target: '#overlays' }, shadow: 'md' } as const;

/** The theme of every page. */
export const theme = createTheme({
  primaryColor: 'brand',
  primaryShade: { light: 7, dark: 7 },
  colors: { brand, red, dark },
  autoContrast: true,
  luminanceThreshold: 0.35,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily:
    '"Inter Variable", system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  headings: { fontWeight: '650' },
  components: {
    // Mantine's default role is alert; real errors set it themselves.
    Alert: Alert.extend({ defaultProps: { role: 'note' } }),
    Badge: Badge.extend({ defaultProps: { variant: 'light', tt: 'none', radius: 'sm' } }),
    Modal: Modal.extend({
      defaultProps: {
        closeButtonProps: { 'aria-label': 'Close' },
        // The header of a dialog is not the page's banner (axe: landmark-no-duplicate-banner).
        attributes: { header: { role: 'presentation' } },
        centered: true,
        styles: { title: { fontWeight: 650 } },
        radius: 'lg',
      },
    }),
    // A menu may not contain the focus placeholder, and a portal is outside every landmark
    // (axe: aria-required-children, region).
    Menu: Menu.extend({
      defaultProps: { withInitialFocusPlaceholder: false, withinPortal: false, shadow: 'md' },
    }),
    Select: Select.extend({ defaultProps: { comboboxProps: overlays } }),
    TagsInput: TagsInput.extend({ defaultProps: { comboboxProps: overlays } }),
    Tooltip: Tooltip.extend({ defaultProps: { openDelay: 300, withArrow: true } }),
  },
});

// Text on a light tint needs the darkest shades in the light scheme and the lightest in the dark one.
const TINTED = ['brand', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'gray', 'grape'];

/** Replaces the colors whose contrast is under 4.5 : 1 by default. */
export const cssVariablesResolver: CSSVariablesResolver = (theme) => {
  const light: Record<string, string> = {
    '--mantine-color-dimmed': theme.colors.gray[7],
    '--mantine-color-placeholder': '#636b74',
    '--mantine-color-error': '#c01f1f',
    '--mantine-color-anchor': theme.colors.brand?.[7] ?? '',
  };
  const dark: Record<string, string> = {
    '--mantine-color-dimmed': theme.colors.gray[5],
    '--mantine-color-placeholder': '#a0a6ad',
    '--mantine-color-error': '#ff9b9b',
    '--mantine-color-anchor': theme.colors.brand?.[3] ?? '',
  };
  for (const name of TINTED) {
    const shades = theme.colors[name];
    if (!shades) continue;
    light[`--mantine-color-${name}-light-color`] = findDarkText(name) ?? shades[9];
    dark[`--mantine-color-${name}-light-color`] = shades[2];
  }
  return { variables: {}, light, dark };
};

// Shade 9 of Mantine's warm colors is too light on its own tint.
function findDarkText(name: string): string | undefined {
  return {
    orange: '#8a3400',
    yellow: '#7a4600',
    green: '#1c6429',
    teal: '#065f46',
    gray: '#343a40',
    red: '#a51d1d',
  }[name];
}
