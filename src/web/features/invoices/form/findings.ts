import type { Finding } from '../../../../contract/invoices.ts';
import { unbroken } from '../../../lib/format.ts';
import type { DraftState } from './draft-state.ts';
import { writtenLines } from './lines.ts';

/** A finding with the place in the form that it is about. */
export interface PlacedFinding extends Finding {
  /** `invoiceClient`, or `l3.price` for a line by the key of its row; empty when it has none. */
  readonly place: string;
  /** It only says that something was not written yet: the client, the lines, the invoice to rectify. */
  readonly isMissing: boolean;
}

export interface Verdict {
  /** `unfinished`: what blocks it is only what was not written yet. */
  readonly kind:
    | 'nothing-yet'
    | 'checking'
    | 'ready'
    | 'warned'
    | 'unfinished'
    | 'blocked'
    | 'unknown';
  /** Without what was not written yet. */
  readonly errors: number;
  readonly warnings: number;
}

/** Asking to register leads to what is missing or wrong. */
export const cannotRegister = ({ kind }: Verdict): boolean =>
  kind === 'blocked' || kind === 'unfinished' || kind === 'nothing-yet';

const LINE_FIELD = /^invoiceItems\.(\d+)(?:\.(\w+))?$/;

/** The fields from the top of the form to its end, with those of a line from left to right. */
const FIELDS = [
  ...['isSimplificada', 'invoiceNumber', 'invoiceDate', 'invoiceType', 'crmemoType'],
  ...['invoiceClient', 'claveRegimen', 'situacion'],
  ...['invoiceToRectify', 'invoiceToRectifyDate', 'tipoRectificativa'],
  ...['baseRectificada', 'cuotaRectificada', 'recargoRectificado'],
  ...['fechaOperacion', 'retencionIRPF', 'suplidos', 'suplidosConcepto'],
  ...['tipoIdentificacion', 'notas'],
  ...['ivaIncluido', 'invoiceItems'],
];
const LINE_FIELDS = ['description', 'quantity', 'price', 'discount', 'tax'];

/**
 * Maps the server's findings to places: the server numbers the written lines from 0, the form knows them by their key.
 * Blocking ones come first, then in the order of the form.
 *
 * @param sent the draft that was checked: lines may have moved since then
 */
export function placeFindings(findings: readonly Finding[], sent: DraftState): PlacedFinding[] {
  const lines = writtenLines(sent.lines);
  return findings
    .map((finding) => ({
      ...finding,
      mensaje: unbroken(finding.mensaje),
      place: placeOf(finding.campo, lines),
      isMissing: finding.gravedad === 'bloquea' && isMissing(finding.campo, sent, lines.length),
    }))
    .sort(
      (a, b) =>
        Number(b.gravedad === 'bloquea') - Number(a.gravedad === 'bloquea') ||
        compareFields(a.campo, b.campo),
    );
}

/** What is in no field of the form, such as the data of the company, is after all that is. */
function compareFields(one: string, other: string): number {
  const [a, b] = [orderOf(one), orderOf(other)];
  return a.field - b.field || a.line - b.line || a.part - b.part;
}

function orderOf(campo: string) {
  const [, line, part = ''] = LINE_FIELD.exec(campo) ?? [];
  const field = FIELDS.indexOf(campo.split('.')[0] ?? '');
  return {
    field: field < 0 ? FIELDS.length : field,
    line: Number(line ?? -1),
    part: LINE_FIELDS.indexOf(part),
  };
}

function placeOf(campo: string, lines: readonly { readonly id: string }[]): string {
  const [, index, field] = LINE_FIELD.exec(campo) ?? [];
  if (index === undefined) return campo.split('.')[0] ?? '';
  const line = lines[Number(index)];
  return line ? `${line.id}.${field ?? 'description'}` : 'invoiceItems';
}

function isMissing(campo: string, sent: DraftState, lines: number): boolean {
  switch (campo) {
    case 'invoiceItems':
      return lines === 0;
    case 'invoiceClient':
    case 'invoiceToRectify':
      return sent[campo] === '';
    default:
      return false;
  }
}

/** What is shown beside a field: the worst of its findings. */
export function findingAt(
  findings: readonly PlacedFinding[],
  place: string,
): PlacedFinding | undefined {
  return findings.find((finding) => finding.place === place);
}

/** What the findings of a checked draft come to. */
export function verdictOn(findings: readonly PlacedFinding[]): Verdict {
  const blocking = findings.filter(({ gravedad }) => gravedad === 'bloquea');
  const errors = blocking.filter(({ isMissing }) => !isMissing).length;
  const warnings = findings.length - blocking.length;
  const kind =
    errors > 0 ? 'blocked' : blocking.length > 0 ? 'unfinished' : warnings > 0 ? 'warned' : 'ready';
  return { kind, errors, warnings };
}
