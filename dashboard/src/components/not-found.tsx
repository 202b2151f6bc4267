/** The page of an unknown path. */
import { Link, useRouter, useRouterState } from '@tanstack/react-router';
import classes from './empty.module.css';
import { findSimilarPath } from './find-similar-path.ts';
import { useTabTitle } from './page-header.tsx';

/** Shows the path, and links to the page that it probably means and to the first page. */
export function NotFound() {
  useTabTitle('Page not found');
  const router = useRouter();
  const path = useRouterState({ select: (state) => state.location.pathname });
  // The page of administrators says that it does not exist to all others: it is not what they mean.
  const pages = Object.keys(router.routesByPath).filter((page) => page !== path.toLowerCase());
  const similar = findSimilarPath(path, pages);
  return (
    <div className={classes.lost}>
      <p className={classes.number} aria-hidden="true">
        4<mark>0</mark>4
      </p>
      <h1>There is no page at {path}</h1>
      <p className={`dim ${classes.ways ?? ''}`}>
        {similar !== null && (
          <>
            Did you mean <Link to={similar}>{similar}</Link>?{' '}
          </>
        )}
        <Link to="/">Go to the overview</Link>
      </p>
    </div>
  );
}
