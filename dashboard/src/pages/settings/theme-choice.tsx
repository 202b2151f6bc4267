/** The choice of the theme, as small pictures of it. */
import { useMantineColorScheme } from '@mantine/core';
import classes from './theme-choice.module.css';

const DAY = { desk: '#eff0eb', sheet: '#ffffff', ink: '#14171a', primary: '#14171a' } as const;
const NIGHT = { desk: '#0b0d0c', sheet: '#131615', ink: '#f2f4ee', primary: '#c8f23c' } as const;

const CHOICES = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'System' },
] as const;

/** Shows the three choices. The browser keeps the one that is chosen. */
export function ThemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <fieldset className={classes.choices} aria-label="Appearance">
      {CHOICES.map(({ value, label }) => (
        <label key={value} className={classes.choice}>
          <input
            type="radio"
            name="theme"
            value={value}
            checked={colorScheme === value}
            onChange={() => setColorScheme(value)}
          />
          <Picture theme={value} />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

function Picture({ theme }: { theme: (typeof CHOICES)[number]['value'] }) {
  const { desk, sheet, ink, primary } = theme === 'dark' ? NIGHT : DAY;
  const isSplit = theme === 'auto';
  return (
    <svg viewBox="0 0 136 76" aria-hidden="true" focusable="false">
      <rect width="136" height="76" fill={desk} />
      <rect x="30" y="6" width="106" height="70" rx="5" fill={sheet} />
      {isSplit && (
        <>
          <path d="M68 0h68v76H68z" fill={NIGHT.desk} />
          <path d="M68 6h68v70H68z" fill={NIGHT.sheet} />
          <path d="M74 20h26M74 32h40M74 42h30" stroke={NIGHT.ink} strokeWidth="3" opacity=".75" />
        </>
      )}
      <rect x="6" y="10" width="10" height="10" rx="2.5" fill="#c8f23c" />
      <path
        d={isSplit ? 'M40 20h24M40 32h24M40 42h24' : 'M40 20h36M40 32h60M40 42h50'}
        stroke={ink}
        strokeWidth="3"
        opacity=".75"
      />
      {!isSplit && <rect x="40" y="54" width="26" height="11" rx="3" fill={primary} />}
    </svg>
  );
}
