import type { LecturaAnswer, Procedencia } from '../../../../contract/reading.ts';
import { PagePicture } from './page-picture.tsx';
import classes from './source-pane.module.css';

export interface SourceStripProps {
  readonly lectura: LecturaAnswer;
  /** The source of the field that has the focus. */
  readonly focused: readonly Procedencia[];
  readonly onOpen: () => void;
}

/** The share of the strip's width that a box takes, and the maximum enlargement of the page. */
const SHARE = 0.85;
const MOST = 3;

/**
 * Where there is no room for the page beside the form: the part of it from which a field was read. Its place is
 * reserved from the start, so that nothing moves while typing.
 */
export function SourceStrip({ lectura, focused, onOpen }: SourceStripProps) {
  const source = focused.find(({ caja }) => caja);
  const { caja, pagina } = source ?? {};
  const size = lectura.paginas[(pagina ?? 1) - 1];
  if (!caja || !pagina || !size) {
    return (
      <p className={`${classes.strip} ${classes.stripHint}`}>
        Ponte en un campo y verás de dónde lo hemos leído.
      </p>
    );
  }
  const scale = Math.min(SHARE / Math.max(caja.w, 0.01), MOST);
  const middle = { x: (caja.x + caja.w / 2) * 100, y: (caja.y + caja.h / 2) * 100 };
  return (
    <button type="button" className={classes.strip} onClick={onOpen}>
      <span className="hu-hidden">Ver en el original</span>
      <span
        className={classes.stripSheet}
        style={{
          width: `${scale * 100}%`,
          aspectRatio: size.ancho / size.alto,
          transform: `translate(-${middle.x}%, -${middle.y}%)`,
        }}
      >
        <PagePicture
          archivo={lectura.archivo}
          pagina={pagina}
          boxes={focused.filter((one) => one.pagina === pagina)}
        />
      </span>
    </button>
  );
}
