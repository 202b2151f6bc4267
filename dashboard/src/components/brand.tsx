/** The product's mark and name. */
import { Link } from '@tanstack/react-router';
import classes from './brand.module.css';

/** Shows the mark: a U whose right stem is cut, for a request and its response. */
export function BrandMark() {
  return (
    <svg className={classes.mark} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7" fill="#c8f23c" />
      <path d="M7.5 7h5v9.5a3.5 3.5 0 0 0 7 0V14.5h5v2a8.5 8.5 0 0 1-17 0zM19.5 7h5v5h-5z" fill="#14171a" />
    </svg>
  );
}

/** Shows mark and name as a link to the first page. */
export function Brand() {
  return (
    <Link to="/" className={classes.brand}>
      <BrandMark />
      Utility API
    </Link>
  );
}
