import { notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { cuenta, entero } from '../lib/format.ts';
import { charactersCut } from './paste-cut.ts';
import { TOAST_ICONS } from './toast-icons.tsx';

/** Warns when a field takes only the beginning of what is pasted: half a name is another name. */
export function usePasteCutNote(): void {
  useEffect(() => {
    const onPaste = ({ target, clipboardData, defaultPrevented }: ClipboardEvent) => {
      if (defaultPrevented) return; // Its field handles the paste itself.
      if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
      const text = clipboardData?.getData('text') ?? '';
      const isOneLine = target instanceof HTMLInputElement;
      const cut = charactersCut(target, isOneLine ? text.replace(/[\r\n]+/g, '') : text);
      if (cut === 0) return;
      notifications.show({
        id: 'paste-cut',
        icon: TOAST_ICONS.amber,
        title: 'No cabe todo lo que has pegado',
        message: `Aquí caben ${cuenta(target.maxLength, 'carácter', 'caracteres')} y ${cut === 1 ? 'falta el último' : `faltan los ${entero(cut)} últimos`}: revisa cómo acaba.`,
      });
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, []);
}
