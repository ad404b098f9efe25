import { useQuery } from '@tanstack/react-query';
import { type Ref, useEffect, useState } from 'react';
import type { Procedencia } from '../../../../contract/reading.ts';
import { FailedState } from '../../../ui/failed-state.tsx';
import { paginaQuery } from './api.ts';
import classes from './source-pane.module.css';

export interface PagePictureProps {
  readonly archivo: string;
  /** From 1. */
  readonly pagina: number;
  readonly boxes: readonly Procedencia[];
  /** Refers to the first box. */
  readonly markRef?: Ref<HTMLDivElement>;
}

/** A page with highlighted boxes, as wide as its container. */
export function PagePicture({ archivo, pagina, boxes, markRef }: PagePictureProps) {
  const page = useQuery(paginaQuery(archivo, pagina));
  const url = useObjectUrl(page.data);
  if (page.isError) {
    return (
      <FailedState
        title="No hemos podido cargar la página"
        error={page.error}
        onRetry={() => page.refetch()}
      />
    );
  }
  return (
    <>
      {url && <img src={url} alt={`Página ${pagina} del original`} className={classes.picture} />}
      {boxes.map(({ caja }, index) => {
        if (!caja) return null;
        const part = (value: number) => `${value * 100}%`;
        return (
          <div
            key={`${caja.x} ${caja.y} ${caja.w}`}
            ref={index === 0 ? markRef : undefined}
            className={classes.mark}
            data-mark
            style={{
              left: part(caja.x),
              top: part(caja.y),
              width: part(caja.w),
              height: part(caja.h),
            }}
          />
        );
      })}
    </>
  );
}

function useObjectUrl(file: Blob | undefined): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!file) return;
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url;
}
