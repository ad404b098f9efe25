import { CloseButton, SegmentedControl, Tooltip } from '@mantine/core';
import { usePageTitle } from '../../../ui/page-title.tsx';
import type { SaveStatus } from './draft-saver.ts';
import classes from './form-head.module.css';
import { SaveState } from './save-state.tsx';

/** What is shown on a screen without room for both. */
export type Face = 'editar' | 'original' | 'vista';

const FACES = [
  { value: 'editar', label: 'Editar' },
  { value: 'vista', label: 'Vista previa' },
] as const;
const FACES_WITH_ORIGINAL = [
  { value: 'editar', label: 'Editar' },
  { value: 'original', label: 'Original' },
  { value: 'vista', label: 'Vista previa' },
] as const;

export interface FormHeadProps {
  readonly title: string;
  readonly status: SaveStatus;
  /** Left out where both faces are visible. */
  readonly face?: Face;
  readonly onFace: (face: Face) => void;
  /** It was read from a file, which is an additional face. */
  readonly hasOriginal: boolean;
  /** For an invoice opened in place of a list. */
  readonly onClose?: (() => void) | undefined;
}

/** The title of the form, the state of its draft and, on narrow screens, the choice of the visible face. */
export function FormHead({ title, status, face, onFace, hasOriginal, onClose }: FormHeadProps) {
  const heading = usePageTitle(title);
  return (
    <div className={classes.head}>
      <h1 ref={heading} tabIndex={-1} className={classes.title}>
        {title}
      </h1>
      <SaveState status={status} />
      {onClose && (
        <Tooltip label="Cerrar y volver a la lista">
          <CloseButton
            aria-label="Cerrar"
            size="lg"
            className={classes.close ?? ''}
            onClick={onClose}
          />
        </Tooltip>
      )}
      {face && (
        <SegmentedControl
          aria-label="Ver"
          className={classes.faces ?? ''}
          data={[...(hasOriginal ? FACES_WITH_ORIGINAL : FACES)]}
          value={face}
          onChange={(value) => onFace(value)}
        />
      )}
    </div>
  );
}
