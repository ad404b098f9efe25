import { ActionIcon, Tooltip } from '@mantine/core';
import {
  IconChevronLeft,
  IconChevronRight,
  IconDownload,
  IconRotateClockwise,
  IconZoomIn,
  IconZoomOut,
} from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { LecturaAnswer, Procedencia } from '../../../../contract/reading.ts';
import { errorMessages } from '../../../lib/http.ts';
import { useErrorDialog } from '../../../ui/error-dialog.tsx';
import { downloadOriginal } from './api.ts';
import { LevelMark } from './level-mark.tsx';
import { PagePicture } from './page-picture.tsx';
import { levelOf, ORIGIN, type ReadField, readFields } from './reading-fields.ts';
import classes from './source-pane.module.css';

export interface SourcePaneProps {
  readonly lectura: LecturaAnswer;
  readonly docNo: string | undefined;
  /** The source of the field that has the focus. */
  readonly focused: readonly Procedencia[];
}

const ZOOMS = [100, 150, 200, 300] as const;

/** The uploaded file beside the form, and what was read from it. */
export function SourcePane({ lectura, docNo, focused }: SourcePaneProps) {
  const [chosen, setChosen] = useState<readonly Procedencia[]>([]);
  const [shownPage, setShownPage] = useState(1);
  const [zoom, setZoom] = useState(0);
  const [turns, setTurns] = useState(0);
  const errors = useErrorDialog();
  const pane = useRef<HTMLDivElement>(null);
  const choose = (source: Procedencia) => {
    setChosen([source]);
    pane.current?.scrollIntoView({ block: 'nearest' });
  };
  // The last thing selected: a field of the form, or a row of the list.
  useEffect(() => setChosen(focused), [focused]);
  // Also if the user has turned the page since.
  useEffect(() => {
    const page = chosen.find(({ caja }) => caja)?.pagina;
    if (page) setShownPage(page);
  }, [chosen]);

  const count = lectura.paginas.length;
  const size = lectura.paginas[shownPage - 1];
  const boxes = chosen.filter(({ caja, pagina }) => caja && pagina === shownPage);
  const download = () => {
    if (docNo === undefined) return;
    downloadOriginal(docNo, lectura.nombre).catch((error) => errors.show(errorMessages(error)));
  };

  return (
    <section className={classes.pane} aria-label="Original">
      <div className={classes.top} ref={pane}>
        <div className={classes.bar}>
          <h2 className={classes.title} title={lectura.nombre}>
            {lectura.nombre}
          </h2>
          {count > 1 && (
            <span className={classes.pages}>
              <Tool
                label="Página anterior"
                isDisabled={shownPage === 1}
                onClick={() => setShownPage(shownPage - 1)}
              >
                <IconChevronLeft size={18} stroke={1.7} />
              </Tool>
              <span role="status" className={classes.count}>
                Página {shownPage} de {count}
              </span>
              <Tool
                label="Página siguiente"
                isDisabled={shownPage === count}
                onClick={() => setShownPage(shownPage + 1)}
              >
                <IconChevronRight size={18} stroke={1.7} />
              </Tool>
            </span>
          )}
          <span className={classes.tools}>
            <Tool label="Alejar" isDisabled={zoom === 0} onClick={() => setZoom(zoom - 1)}>
              <IconZoomOut size={18} stroke={1.7} />
            </Tool>
            <Tool
              label="Acercar"
              isDisabled={zoom === ZOOMS.length - 1}
              onClick={() => setZoom(zoom + 1)}
            >
              <IconZoomIn size={18} stroke={1.7} />
            </Tool>
            <Tool label="Girar la página" onClick={() => setTurns((turns + 1) % 4)}>
              <IconRotateClockwise size={18} stroke={1.7} />
            </Tool>
            <Tool label="Descargar el original" isDisabled={docNo === undefined} onClick={download}>
              <IconDownload size={18} stroke={1.7} />
            </Tool>
          </span>
        </div>
        {size && (
          <Sheet
            key={shownPage}
            archivo={lectura.archivo}
            pagina={shownPage}
            size={size}
            zoom={ZOOMS[zoom] ?? 100}
            turns={turns}
            boxes={boxes}
          />
        )}
      </div>
      <ReadList fields={readFields(lectura.campos)} onChoose={choose} />
    </section>
  );
}

function Tool({
  label,
  isDisabled = false,
  onClick,
  children,
}: {
  readonly label: string;
  readonly isDisabled?: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        aria-label={label}
        disabled={isDisabled}
        onClick={onClick}
        // Keeps what it shows, because the field keeps the focus.
        onMouseDown={(event) => event.preventDefault()}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}

interface SheetProps {
  readonly archivo: string;
  readonly pagina: number;
  readonly size: LecturaAnswer['paginas'][number];
  /** Percentage of the pane's width. */
  readonly zoom: number;
  /** Clockwise quarter turns. */
  readonly turns: number;
  readonly boxes: readonly Procedencia[];
}

/** One page in the chosen size, with the current source highlighted and scrolled into view. */
function Sheet({ archivo, pagina, size, zoom, turns, boxes }: SheetProps) {
  const frame = useRef<HTMLElement>(null);
  const mark = useRef<HTMLDivElement>(null);
  const first = boxes[0]?.caja;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is looked at, and how, moves it.
  useEffect(() => {
    bringIntoSight(frame.current, mark.current);
  }, [first, zoom, turns]);

  const isLying = turns % 2 === 1;
  const { ancho, alto } = size;
  const ratio = isLying ? alto / ancho : ancho / alto;
  return (
    <section
      ref={frame}
      className={classes.frame}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls what does not fit.
      tabIndex={0}
      aria-label={`Página ${pagina}`}
    >
      <div className={classes.room} style={{ width: `${zoom}%`, aspectRatio: ratio }}>
        <div
          className={classes.sheet}
          style={{
            width: isLying ? `${(100 * ancho) / alto}%` : '100%',
            aspectRatio: ancho / alto,
            transform: `translate(-50%, -50%) rotate(${turns * 90}deg)`,
          }}
        >
          <PagePicture archivo={archivo} pagina={pagina} boxes={boxes} markRef={mark} />
        </div>
      </div>
    </section>
  );
}

/** Scrolls only the frame, until the mark is in its middle. */
function bringIntoSight(frame: HTMLElement | null, mark: HTMLElement | null): void {
  if (!frame || !mark) return;
  const [outer, inner] = [frame.getBoundingClientRect(), mark.getBoundingClientRect()];
  const isSeen =
    inner.top >= outer.top + 8 &&
    inner.bottom <= outer.bottom - 8 &&
    inner.left >= outer.left &&
    inner.right <= outer.right;
  if (isSeen) return;
  frame.scrollBy({
    top: (inner.top + inner.bottom - outer.top - outer.bottom) / 2,
    left: (inner.left + inner.right - outer.left - outer.right) / 2,
  });
}

function ReadList({
  fields,
  onChoose,
}: {
  readonly fields: readonly ReadField[];
  readonly onChoose: (source: Procedencia) => void;
}) {
  return (
    <div className={classes.read}>
      <h3 className={classes.readTitle}>Lo que hemos leído</h3>
      <ul className={classes.fields}>
        {fields.map(({ key, label, text, source }) => {
          const words = (
            <>
              <span className={classes.label}>{label}</span>
              <span className={classes.value}>{text}</span>
              <LevelMark level={levelOf(source)} />
              {source && <span className="hu-hidden">, de {ORIGIN[source.origen]}</span>}
            </>
          );
          return (
            <li key={key}>
              {source?.caja ? (
                <button type="button" className={classes.field} onClick={() => onChoose(source)}>
                  {words}
                  <span className="hu-hidden">. Ver en la página</span>
                </button>
              ) : (
                <div className={classes.field}>{words}</div>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
