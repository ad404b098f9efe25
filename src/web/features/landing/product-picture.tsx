import classes from './product-picture.module.css';

/** Taken from the product by `scripts/landing-pictures.mjs`: 4 to 3, at 400 and 800 px. */
const FILES = import.meta.glob<string>('./pictures/*', {
  eager: true,
  query: '?url',
  import: 'default',
});

/** As wide as its column: a third of the page or, on a phone, what the thread leaves. */
const SIZES = '(max-width: 767px) calc(100vw - 112px), (max-width: 1247px) 30vw, 368px';

export interface ProductPictureProps {
  readonly name: 'cuenta' | 'certificado' | 'factura';
  readonly alt: string;
}

/** A screen of the product, in the lightest format that the browser supports, loaded when it comes near. */
export function ProductPicture({ name, alt }: ProductPictureProps) {
  const file = (width: number, format: string) => FILES[`./pictures/${name}-${width}.${format}`];
  const set = (format: string) => `${file(400, format)} 400w, ${file(800, format)} 800w`;
  return (
    <picture>
      <source type="image/avif" srcSet={set('avif')} sizes={SIZES} />
      <img
        className={classes.picture}
        src={file(800, 'webp')}
        srcSet={set('webp')}
        sizes={SIZES}
        width={400}
        height={300}
        alt={alt}
        loading="lazy"
        decoding="async"
      />
    </picture>
  );
}
