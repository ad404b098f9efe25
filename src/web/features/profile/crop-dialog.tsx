import { Button } from '@mantine/core';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogButtons } from '../../ui/dialog-foot.tsx';
import { type Corner, type Crop, moveCorner, moveWhole, WHOLE, withoutMargins } from './crop.ts';
import classes from './crop-dialog.module.css';
import { cutPicture, pixelsOf } from './cut-picture.ts';

export interface CropDialogProps {
  /** Address of the chosen picture. */
  readonly src: string;
  readonly isSaving: boolean;
  /** Receives the chosen part, as PNG in base64 without a prefix. */
  readonly onDone: (base64: string) => void;
  readonly onClose: () => void;
}

const CORNERS: readonly (readonly [Corner, string])[] = [
  ['nw', 'Esquina superior izquierda'],
  ['ne', 'Esquina superior derecha'],
  ['sw', 'Esquina inferior izquierda'],
  ['se', 'Esquina inferior derecha'],
];
/** How far an arrow key moves it. */
const STEP = 0.02;
const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

/** Selects the part of a picture that becomes the logo: by its corners, with the pointer or the arrow keys. */
export default function CropDialog({ src, isSaving, onDone, onClose }: CropDialogProps) {
  const image = useRef<HTMLImageElement>(null);
  const [crop, setCrop] = useState<Crop>(WHOLE);
  const trim = () => {
    const pixels = image.current && pixelsOf(image.current);
    if (pixels) setCrop(withoutMargins(pixels.data, pixels.width, pixels.height));
  };
  const save = () => image.current && !isSaving && onDone(cutPicture(image.current, crop));

  return (
    <Dialog onClose={onClose} title="Ajusta tu logotipo" withCloseButton={false}>
      <p className="hu-muted">
        Arrastra las esquinas, o muévelas con las flechas, hasta que quede solo lo que va en tus
        facturas.
      </p>
      <div className={classes.ground}>
        <CropStage src={src} image={image} crop={crop} onCrop={setCrop} />
      </div>
      <div className={classes.tools}>
        <Button variant="subtle" size="sm" onClick={trim}>
          Quitar márgenes
        </Button>
        <Button variant="subtle" size="sm" onClick={() => setCrop(WHOLE)}>
          Imagen entera
        </Button>
      </div>
      <DialogButtons>
        <Button variant="default" onClick={onClose}>
          Cancelar
        </Button>
        <Button onClick={save} aria-disabled={isSaving}>
          {isSaving ? 'Guardando…' : 'Guardar logotipo'}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

interface CropStageProps {
  readonly src: string;
  readonly image: React.RefObject<HTMLImageElement | null>;
  readonly crop: Crop;
  readonly onCrop: (crop: Crop) => void;
}

function CropStage({ src, image, crop, onCrop }: CropStageProps) {
  // What is being dragged, and from where: the pointer's distance from there moves it.
  const drag = useRef<{ what: Corner | 'whole'; x: number; y: number; from: Crop } | null>(null);

  const move = (what: Corner | 'whole', from: Crop, dx: number, dy: number) =>
    onCrop(what === 'whole' ? moveWhole(from, dx, dy) : moveCorner(from, what, dx, dy));
  const handlers = (what: Corner | 'whole') => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      event.stopPropagation();
      event.currentTarget.setPointerCapture(event.pointerId);
      drag.current = { what, x: event.clientX, y: event.clientY, from: crop };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const box = image.current?.getBoundingClientRect();
      if (!drag.current || drag.current.what !== what || !box) return;
      const { from, x, y } = drag.current;
      move(what, from, (event.clientX - x) / box.width, (event.clientY - y) / box.height);
    },
    onPointerUp: () => {
      drag.current = null;
    },
    onKeyDown: (event: KeyboardEvent) => {
      const step = ARROWS[event.key];
      if (!step) return;
      event.preventDefault();
      move(what, crop, ...step);
    },
  });
  const percent = (fraction: number) => `${fraction * 100}%`;

  return (
    <div className={classes.stage}>
      <img ref={image} src={src} alt="El logotipo que has elegido" draggable={false} />
      <div
        className={classes.crop}
        style={{
          left: percent(crop.left),
          top: percent(crop.top),
          right: percent(1 - crop.right),
          bottom: percent(1 - crop.bottom),
        }}
        {...handlers('whole')}
      >
        {CORNERS.map(([corner, label]) => (
          <button
            key={corner}
            type="button"
            aria-label={label}
            data-corner={corner}
            className={classes.corner}
            {...handlers(corner)}
          />
        ))}
      </div>
    </div>
  );
}
