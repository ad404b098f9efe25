import { DomainError } from '../domain/errors.ts';
import { calledInvoice, isDraftName } from '../domain/series.ts';

/** The refusal of a draft or invoice that was read before somebody else changed it. */
export function changedElsewhere(docNo: string): DomainError {
  const called = calledInvoice(docNo);
  return new DomainError(
    'CONFLICT',
    `${called.charAt(0).toUpperCase()}${called.slice(1)} ha cambiado en otra pestaña o en otro dispositivo. ${isDraftName(docNo) ? 'Ábrelo' : 'Ábrela'} de nuevo para ver cómo está.`,
  );
}
