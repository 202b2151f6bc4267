/**
 * Mantine's theme. All values come from tokens.css; the CSS of Mantine's parts is in mantine.css. Contrast is
 * at least 4.5 : 1 in both schemes.
 */
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';
import { resolveVariantColors } from './variant-colors.ts';

/**
 * The nonce that the Content-Security-Policy requires of this page's style elements. The service writes a new
 * one into <meta property="csp-nonce"> with every response. Empty under the development server, which sends
 * no policy.
 */
export const styleNonce: string =
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

// Mantine's scroll lock gets the nonce through the package get-nonce, which reads webpack's global.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });

const ink: MantineColorsTuple = [
  '#f6f7f3',
  '#ebede6',
  '#e4e6df',
  '#c9cdc3',
  '#b4b9ad',
  '#8b9288',
  '#5f665f',
  '#454b46',
  '#262c2e',
  '#14171a',
];

// What Mantine draws with its own dark greys, such as dropdowns and hovered rows.
const dark: MantineColorsTuple = [
  '#c0c6bd',
  '#a9b0a6',
  '#969d93',
  '#6d746c',
  '#343a37',
  '#242927',
  '#191d1b',
  '#131615',
  '#0f1211',
  '#0b0d0c',
];

// Dropdowns open inside <main>: at the end of the body they would be outside every landmark (axe: region).
const overlays = { portalProps: { target: '#overlays' }, shadow: 'md' } as const;
const small = { defaultProps: { size: 'sm' } } as const;
// A header of a dialog is not the page's banner (axe: landmark-no-duplicate-banner).
const dialog = {
  closeButtonProps: { 'aria-label': 'Close' },
  attributes: { header: { role: 'presentation' } },
  radius: 'lg',
} as const;

/** The theme of every page. */
export const theme = createTheme({
  primaryColor: 'ink',
  primaryShade: 9,
  colors: { ink, gray: ink, dark },
  black: '#14171a',
  variantColorResolver: resolveVariantColors,
  defaultRadius: 'md',
  radius: { sm: '4px', md: '7px', lg: '12px' },
  cursorType: 'pointer',
  focusClassName: 'focus',
  respectReducedMotion: true,
  fontFamily: 'var(--ua-font)',
  fontFamilyMonospace: 'var(--ua-mono)',
  fontSizes: {
    xs: 'var(--ua-text-xs)',
    sm: 'var(--ua-text-sm)',
    md: 'var(--ua-text-md)',
    lg: 'var(--ua-text-lg)',
    xl: 'var(--ua-text-xl)',
  },
  lineHeights: { xs: '1.3334', sm: '1.5385', md: '1.5714', lg: '1.5', xl: '1.2728' },
  headings: {
    fontWeight: '620',
    sizes: {
      h1: { fontSize: 'var(--ua-text-xl)', lineHeight: '1.75rem' },
      h2: { fontSize: 'var(--ua-text-xl)', lineHeight: '1.75rem' },
      h3: { fontSize: 'var(--ua-text-lg)', lineHeight: '1.5rem' },
      h4: { fontSize: '0.9375rem', lineHeight: '1.5rem' },
      h5: { fontSize: 'var(--ua-text-sm)', lineHeight: '1.25rem' },
      h6: { fontSize: 'var(--ua-text-xs)', lineHeight: '1rem' },
    },
  },
  // Plain objects: Alert.extend() would put each component into the script that every page loads.
  components: {
    // Mantine's default role is alert; real errors set it themselves.
    Alert: { defaultProps: { role: 'note', color: 'gray' } },
    Badge: { defaultProps: { variant: 'light', tt: 'none', radius: 'sm' } },
    Button: small,
    Drawer: { defaultProps: { ...dialog, position: 'right', offset: 8, size: '30rem' } },
    Modal: { defaultProps: { ...dialog, centered: true, size: '27rem' } },
    // A menu may not contain the focus placeholder, and a portal is outside every landmark
    // (axe: aria-required-children, region).
    Menu: {
      // Mantine hides a menu while its button is out of view; a hidden menu cannot get the focus.
      defaultProps: {
        hideDetached: false,
        withInitialFocusPlaceholder: false,
        withinPortal: false,
        shadow: 'md',
      },
    },
    PasswordInput: small,
    SegmentedControl: { defaultProps: { size: 'sm', withItemsBorders: false } },
    Select: { defaultProps: { size: 'sm', comboboxProps: overlays } },
    Table: { defaultProps: { verticalSpacing: 6, horizontalSpacing: 12 } },
    TagsInput: { defaultProps: { size: 'sm', comboboxProps: overlays } },
    Textarea: small,
    TextInput: small,
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true } },
  },
});

// Mantine's names of the colors that carry a meaning, and the names of their tokens.
const MEANINGS = { red: 'bad', orange: 'warn', yellow: 'warn', green: 'ok', blue: 'info' } as const;

/** Maps Mantine's variables to the tokens. */
export const cssVariablesResolver: CSSVariablesResolver = () => {
  const variables: Record<string, string> = {
    '--mantine-color-body': 'var(--ua-sheet)',
    '--mantine-color-text': 'var(--ua-ink-2)',
    '--mantine-color-bright': 'var(--ua-ink-1)',
    '--mantine-color-dimmed': 'var(--ua-ink-3)',
    '--mantine-color-placeholder': 'var(--ua-ink-3)',
    '--mantine-color-anchor': 'var(--ua-accent-text)',
    '--mantine-color-error': 'var(--ua-bad-text)',
    '--mantine-color-default': 'var(--ua-sheet)',
    '--mantine-color-default-hover': 'var(--ua-well-strong)',
    '--mantine-color-default-color': 'var(--ua-ink-1)',
    '--mantine-color-default-border': 'var(--ua-line-strong)',
    '--mantine-color-disabled': 'var(--ua-well-strong)',
    '--mantine-color-disabled-color': 'var(--ua-ink-3)',
    '--mantine-color-disabled-border': 'var(--ua-line)',
    '--mantine-primary-color-filled': 'var(--ua-primary)',
    '--mantine-primary-color-filled-hover': 'var(--ua-primary-hover)',
    '--mantine-primary-color-contrast': 'var(--ua-on-primary)',
    '--mantine-color-ink-filled': 'var(--ua-primary)',
    '--mantine-color-gray-filled': 'var(--ua-ink-3)',
    '--mantine-shadow-md': 'var(--ua-shadow-raised)',
    '--mantine-shadow-xl': 'var(--ua-shadow-raised)',
  };
  for (const [name, meaning] of Object.entries(MEANINGS)) {
    variables[`--mantine-color-${name}-filled`] = `var(--ua-${meaning})`;
    variables[`--mantine-color-${name}-light`] = `var(--ua-${meaning}-soft)`;
    variables[`--mantine-color-${name}-light-color`] = `var(--ua-${meaning}-text)`;
    variables[`--mantine-color-${name}-text`] = `var(--ua-${meaning}-text)`;
  }
  // Mantine sets the same variables for each scheme, with a higher specificity.
  return { variables: {}, light: variables, dark: variables };
};
