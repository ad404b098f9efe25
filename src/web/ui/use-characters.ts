import { notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { cuenta, entero } from '../lib/format.ts';
import { charactersCut, type FilledField, unitsFor } from './paste-cut.ts';
import { TOAST_ICONS } from './toast-icons.tsx';

/**
 * Counts what fits into a field in characters, as the server does, and warns when a field takes only the beginning of
 * what is pasted: half a name is another name.
 */
export function useCharacters(): void {
  useEffect(() => {
    let told = '';
    const onPaste = ({ target, clipboardData, defaultPrevented }: ClipboardEvent) => {
      if (defaultPrevented) return; // Its field handles the paste itself.
      if (!isField(target)) return;
      const text = clipboardData?.getData('text') ?? '';
      const field = stateOf(target);
      // Copied cells end with the end of a line: nobody misses it.
      const cut = charactersCut(field, asTaken(target, text.trimEnd()));
      if (cut === 0) return;
      // Only the last one is true of what is on the screen.
      notifications.hide(told);
      told = notifications.show({
        icon: TOAST_ICONS.amber,
        title: 'No cabe todo lo que has pegado',
        message: `Aquí caben ${cuenta(field.limit, 'carácter', 'caracteres')} y ${cut === 1 ? 'falta el último' : `faltan los ${entero(cut)} últimos`}: revisa cómo acaba.`,
      });
    };
    const onBeforeInput = ({ target, data, dataTransfer }: InputEvent) => {
      if (!isField(target) || target.maxLength < 0) return;
      const field = stateOf(target);
      const text = asTaken(target, data ?? dataTransfer?.getData('text') ?? '');
      const units = unitsFor(field, text);
      if (units === target.maxLength) return;
      target.maxLength = units;
      raised.set(target, { limit: field.limit, units });
    };
    document.addEventListener('paste', onPaste);
    document.addEventListener('beforeinput', onBeforeInput);
    return () => {
      document.removeEventListener('paste', onPaste);
      document.removeEventListener('beforeinput', onBeforeInput);
    };
  }, []);
}

type Field = HTMLInputElement | HTMLTextAreaElement;

/** Fields whose `maxLength` was changed: the limit that it stands for. */
const raised = new WeakMap<Field, { readonly limit: number; readonly units: number }>();

function stateOf(field: Field): FilledField {
  const { value, maxLength, selectionStart, selectionEnd } = field;
  const before = raised.get(field);
  const limit = before?.units === maxLength ? before.limit : maxLength;
  return { value, limit, selectionStart, selectionEnd };
}

/** In a field of one line, the browser puts a space in the place of each end of a line. */
function asTaken(field: Field, text: string): string {
  return field instanceof HTMLInputElement ? text.replace(/\r\n?|\n/g, ' ') : text;
}

function isField(target: EventTarget | null): target is Field {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}
