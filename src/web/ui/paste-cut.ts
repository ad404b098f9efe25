import { notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { cuenta } from '../lib/format.ts';

/** A field as a paste finds it. */
export interface PastedField {
  readonly value: string;
  /** Below zero when it has none, as the browser tells it. */
  readonly maxLength: number;
  /** Null in fields that do not tell, such as an e-mail's. */
  readonly selectionStart: number | null;
  readonly selectionEnd: number | null;
}

/** Characters at the end of what is pasted that the browser will leave out, without a word. */
export function charactersCut(field: PastedField, pasted: string): number {
  if (field.maxLength < 0) return 0;
  const replaced = (field.selectionEnd ?? 0) - (field.selectionStart ?? 0);
  const room = Math.max(field.maxLength - (field.value.length - replaced), 0);
  return Math.max(pasted.length - room, 0);
}

/** Says so when a field takes only the beginning of what is pasted: half a name is another one. */
export function usePasteCutNote(): void {
  useEffect(() => {
    const onPaste = ({ target, clipboardData, defaultPrevented }: ClipboardEvent) => {
      if (defaultPrevented) return; // Its field takes it in its own way.
      if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
      const text = clipboardData?.getData('text') ?? '';
      const isOneLine = target instanceof HTMLInputElement;
      const cut = charactersCut(target, isOneLine ? text.replace(/[\r\n]+/g, '') : text);
      if (cut === 0) return;
      notifications.show({
        id: 'paste-cut',
        color: 'yellow',
        title: 'No cabe todo lo que has pegado',
        message: `Aquí caben ${cuenta(target.maxLength, 'carácter', 'caracteres')}: revisa cómo acaba, que ${cut === 1 ? 'falta' : 'faltan'} ${cuenta(cut, 'carácter', 'caracteres')}.`,
      });
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, []);
}
