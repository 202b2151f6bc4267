/** Colors of buttons, badges and alerts by variant, from the tokens. */
import type { VariantColorsResolver } from '@mantine/core';

type Resolved = ReturnType<VariantColorsResolver>;

interface Palette {
  soft: string;
  text: string;
  fill: string;
  onFill: string;
}

const createMeaning = (name: string, onFill: string): Palette => ({
  soft: `var(--ua-${name}-soft)`,
  text: `var(--ua-${name}-text)`,
  fill: `var(--ua-${name})`,
  onFill,
});
const INK = '#14171a';
const WARN = createMeaning('warn', INK);
const NEUTRAL: Palette = {
  soft: 'var(--ua-well-strong)',
  text: 'var(--ua-ink-2)',
  fill: 'var(--ua-primary)',
  onFill: 'var(--ua-on-primary)',
};

// The red of buttons is the same in both schemes: white on it has a contrast of 6.7 : 1.
const PALETTES: Record<string, Palette> = {
  red: { ...createMeaning('bad', '#fff'), fill: '#b1251d' },
  orange: WARN,
  yellow: WARN,
  green: createMeaning('ok', INK),
  teal: createMeaning('ok', INK),
  blue: createMeaning('info', INK),
};

/** Resolves Mantine's color and variant to the tokens: Mantine's names stand for meanings. */
export const resolveVariantColors: VariantColorsResolver = ({ color, variant }): Resolved => {
  const name = (color ?? 'ink').split('.', 1)[0] ?? 'ink';
  const palette = PALETTES[name] ?? NEUTRAL;
  const isNeutral = palette === NEUTRAL;
  const clear = '1px solid transparent';
  switch (variant) {
    case 'filled':
      return {
        background: palette.fill,
        hover: isNeutral ? 'var(--ua-primary-hover)' : palette.fill,
        color: palette.onFill,
        border: clear,
      };
    case 'light':
      return { background: palette.soft, hover: palette.soft, color: palette.text, border: clear };
    case 'subtle':
    case 'transparent':
      return {
        background: 'transparent',
        hover: variant === 'subtle' ? (isNeutral ? 'var(--ua-well-strong)' : palette.soft) : 'transparent',
        color: palette.text,
        border: clear,
      };
    default:
      return {
        background: 'var(--ua-sheet)',
        hover: isNeutral ? 'var(--ua-well-strong)' : palette.soft,
        color: isNeutral ? 'var(--ua-ink-1)' : palette.text,
        border: '1px solid var(--ua-line-strong)',
      };
  }
};
