import { type DragEvent, type ReactNode, useState } from 'react';

export interface DropZoneProps {
  /** It is given `data-over` while something is held above it. */
  readonly className: string | undefined;
  readonly isSmall?: boolean;
  /** At least one. */
  readonly onFiles: (files: readonly File[]) => void;
  readonly children: ReactNode;
}

/** Where files are dragged in. The way of the keyboard is a button, which goes inside. */
export function DropZone({ className, isSmall, onFiles, children }: DropZoneProps) {
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent) => {
    event.preventDefault(); // Without it the browser would open the file.
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
