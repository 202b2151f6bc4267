/**
 * The dashboard's look on Mantine: an indigo of its own, Inter, and colours that reach WCAG AA contrast in both
 * schemes where Mantine's defaults do not (dimmed text, placeholders, light badges, errors).
 */
import {
  Alert,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  createTheme,
  Menu,
  Modal,
  Select,
  TagsInput,
  Tooltip,
} from '@mantine/core';

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

// Lists of choices open inside of <main>: at the end of the body they would be outside of every landmark (axe: region).
const overlays = { portalProps: { target: '#overlays' }, shadow: 'md' } as const;

/** Mantine's theme for every page. */
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
    // A note is no alarm: what is one says so itself.
    Alert: Alert.extend({ defaultProps: { role: 'note' } }),
    Modal: Modal.extend({
      defaultProps: {
        closeButtonProps: { 'aria-label': 'Close' },
        // A dialog's header is no banner of the page (axe: landmark-no-duplicate-banner).
        attributes: { header: { role: 'presentation' } },
        centered: true,
        styles: { title: { fontWeight: 650 } },
        radius: 'lg',
      },
    }),
    // The placeholder is a child that a menu may not have, a portal is outside of every landmark (axe: aria-required-children, region).
    Menu: Menu.extend({
      defaultProps: { withInitialFocusPlaceholder: false, withinPortal: false, shadow: 'md' },
    }),
    Select: Select.extend({ defaultProps: { comboboxProps: overlays } }),
    TagsInput: TagsInput.extend({ defaultProps: { comboboxProps: overlays } }),
    Tooltip: Tooltip.extend({ defaultProps: { openDelay: 300, withArrow: true } }),
  },
});

// Text on a light tint needs the darkest shades of a colour in the light scheme and the lightest in the dark one.
const TINTED = ['brand', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'gray', 'grape'];

/** Colours that Mantine's defaults leave under 4.5 : 1. */
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
    light[`--mantine-color-${name}-light-color`] = darkText(name) ?? shades[9];
    dark[`--mantine-color-${name}-light-color`] = shades[2];
  }
  return { variables: {}, light, dark };
};

// Shade 9 of Mantine's warm colours is still too light on its own tint.
function darkText(name: string): string | undefined {
  return {
    orange: '#8a3400',
    yellow: '#7a4600',
    green: '#1c6429',
    teal: '#065f46',
    gray: '#343a40',
    red: '#a51d1d',
  }[name];
}
