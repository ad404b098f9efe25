import { DomainError } from '../domain/errors.ts';
import { calledInvoice } from '../domain/series.ts';

/** The refusal of a number that the company has no invoice under. */
export function noSuchInvoice(docNo: string): DomainError {
  return new DomainError('NOT_FOUND', `No existe ${calledInvoice(docNo)}.`);
}
