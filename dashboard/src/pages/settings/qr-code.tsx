/** A QR code as SVG. */
import { encode } from 'uqr';

/** The quiet zone around the code, in modules (ISO/IEC 18004). */
const BORDER = 4;

/** Shows the text as a QR code, dark on white in both themes: not all cameras read the inverse. */
export function QrCode({ text, label, size = 208 }: { text: string; label: string; size?: number }) {
  const code = encode(text, { border: BORDER, ecc: 'M' });
  const path = code.data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      role="img"
      aria-label={label}
      width={size}
      height={size}
      viewBox={`0 0 ${code.size} ${code.size}`}
      shapeRendering="crispEdges"
    >
      <rect width={code.size} height={code.size} fill="#ffffff" />
      <path d={path} fill="#14171a" />
    </svg>
  );
}
