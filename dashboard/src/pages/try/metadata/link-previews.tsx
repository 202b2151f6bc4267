/**
 * Previews of a link as others draw them. The pictures are not loaded: the page's policy allows none from
 * other hosts, so that a stranger's host never learns who looks at its link. Their place has their shape and
 * size.
 */
import type { Preview, PreviewImage } from './metadata-result.ts';
import { Icon } from '../../../components/icon.tsx';
import classes from './previews.module.css';

/** Shows the link as a large card, in a chat, and as a search result. */
export function LinkPreviews({ preview }: { preview: Preview }) {
  const { site, title, description, image } = preview;
  return (
    <section className={classes.previews} aria-label="Link previews">
      <div className={classes.desk}>
        <h2>As a card</h2>
        <div className={classes.card} data-small={!preview.isLarge || undefined}>
          <Picture image={image} />
          <div>
            <span>{site}</span>
            <b>{title}</b>
            {description !== null && <p>{description}</p>}
          </div>
        </div>
      </div>
      <div className={classes.desk}>
        <h2>In a chat</h2>
        <div className={classes.chat}>
          <div>
            <span>{site}</span>
            <b>{title}</b>
            {description !== null && <p>{description}</p>}
          </div>
          {image && <Picture image={image} isThumbnail />}
        </div>
      </div>
      <div className={classes.desk}>
        <h2>As a search result</h2>
        <div className={classes.result}>
          <span>
            {preview.host}
            {preview.path !== '' && ` › ${preview.path}`}
          </span>
          <b>{preview.pageTitle}</b>
          <p>
            {preview.pageDescription ?? 'The page has no description: a search engine takes text from it.'}
          </p>
        </div>
      </div>
    </section>
  );
}

const DEFAULT_SIZE = { width: 1200, height: 630 };

/** Shows the place of the picture in its proportions, at most as high as it is wide. */
function Picture({ image, isThumbnail = false }: { image: PreviewImage | null; isThumbnail?: boolean }) {
  const width = image?.width ?? DEFAULT_SIZE.width;
  const height = image?.height ?? DEFAULT_SIZE.height;
  const ratio = Math.min(3, Math.max(1, width / height));
  return (
    <div
      className={classes.picture}
      data-thumbnail={isThumbnail || undefined}
      style={{ aspectRatio: isThumbnail ? 1.91 : ratio }}
    >
      {isThumbnail ? (
        <Icon name="eye" size={16} />
      ) : image ? (
        <PictureFacts image={image} />
      ) : (
        <p>The page names no picture. Add og:image.</p>
      )}
    </div>
  );
}

function PictureFacts({ image }: { image: PreviewImage }) {
  const { url, width, height, alt, exists } = image;
  return (
    <p>
      {exists ? (
        <>
          {width !== null && height !== null && (
            <b className="nowrap">
              {width} × {height}
            </b>
          )}
          {alt !== null && <span>{alt}</span>}
          <a href={url} target="_blank" rel="noreferrer noopener nofollow">
            Open the picture
          </a>
        </>
      ) : (
        <b>The picture could not be loaded</b>
      )}
      <code>{url}</code>
    </p>
  );
}
