import { useMediaQuery } from '@mantine/hooks';
import { type DragEvent, type ReactNode, useState } from 'react';

export interface DropZoneProps {
  /** The element has `data-over` while something is dragged over it. */
  readonly className: string | undefined;
  readonly isSmall?: boolean;
  /** At least one. */
  readonly onFiles: (files: readonly File[]) => void;
  readonly children: ReactNode;
}

/** Files are dragged here. The button inside is for keyboard users. */
export function DropZone({ className, isSmall, onFiles, children }: DropZoneProps) {
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent) => {
    event.preventDefault(); // Otherwise the browser would open the file.
    setOver(event.type === 'dragover');
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const files = [...event.dataTransfer.files];
    if (files.length > 0) onFiles(files);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dragging is the mouse's; the button is everybody's.
    <div
      className={className}
      data-over={isOver || undefined}
      data-small={isSmall || undefined}
      onDragOver={over}
      onDragLeave={over}
      onDrop={drop}
    >
      {children}
    </div>
  );
}

/** Whether the user points with a finger, which cannot drag files. */
export function useTouch(): boolean {
  return useMediaQuery('(pointer: coarse)', undefined, { getInitialValueInEffect: false }) ?? false;
}
