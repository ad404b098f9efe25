import type { VatGroup } from '../../../../domain/vat.ts';
import { type DraftAction, type DraftState, F1, F2 } from './draft-state.ts';
import type { PlacedFinding } from './findings.ts';
import { shortTax, taxOptions } from './lines.ts';
import { undoToast } from './undo-toast.tsx';

/** It stays the same object while the form is open: reading the state through it renders nothing. */
export interface FixContext {
  readonly getState: () => DraftState;
  readonly today: string;
  readonly groups: readonly VatGroup[];
  readonly dispatch: (action: DraftAction) => void;
  /** The client of the Union is rightly charged Spanish VAT: nothing more is said about it. */
  readonly acceptVat: () => void;
  /** A client is chosen and has not been deleted. */
  readonly hasCard: () => boolean;
  /** The chosen client no longer exists, not even as a deleted one: it was removed before any invoice named it. */
  readonly isGone: () => boolean;
  /** Opens the card of the chosen client. */
  readonly editClient: () => void;
  /** The company's own data are corrected in the profile; the draft waits. */
  readonly goToProfile: () => void;
}

/** A way to fix what a finding reports: the label of its button and what it does. */
export interface Fix {
  readonly label: string;
  readonly run: () => void;
}

type PlainChange = Extract<DraftAction, { kind: 'set' }>['change'];

const F4 = 3;

/** With clave 14, the client is a public administration. */
const PUBLIC_WORKS_CLIENT = '1149';
/** With clave 14, the operation has a day to come. */
const PUBLIC_WORKS_DAY = '1147';

/** What fixes a finding with one click, where a single action can. */
export function fixOf(finding: PlacedFinding, context: FixContext): Fix | null {
  const { today, dispatch, acceptVat, hasCard, isGone, editClient, goToProfile } = context;
  const state = context.getState();
  const [place, cell] = finding.place.split('.');
  const set = (change: PlainChange) => () => dispatch({ kind: 'set', change });
  switch (place) {
    case 'emisor':
    case 'invoiceNumber':
      return { label: 'Ir al perfil', run: goToProfile };
    case 'invoiceClient':
      if (finding.codigo === PUBLIC_WORKS_CLIENT) return claveFix(context);
      if (hasCard()) {
        const isLacking = finding.gravedad === 'bloquea';
        return { label: isLacking ? 'Completar la ficha' : 'Abrir la ficha', run: editClient };
      }
      if (!isGone()) return null;
      return { label: 'Quitar el cliente', run: () => dispatch({ kind: 'client', client: null }) };
    case 'invoiceDate':
      if (state.invoiceDate === today) return null;
      return { label: 'Poner la fecha de hoy', run: set({ invoiceDate: today }) };
    case 'fechaOperacion':
      if (!state.fechaOperacion || finding.codigo === PUBLIC_WORKS_DAY) return null;
      return { label: 'Quitar la fecha de operación', run: set({ fechaOperacion: '' }) };
    case 'retencionIRPF':
      return { label: 'Quitar la retención', run: set({ retencionIRPF: '' }) };
    case 'tipoRectificativa':
      if (state.tipoRectificativa === 'I') return null;
      return {
        label: 'Hacerlo por diferencias',
        run: () => dispatch({ kind: 'method', method: 'I', isOfAbono: true }),
      };
    case 'invoiceType':
    case 'isSimplificada':
      if (state.type !== 'factura' || ![F2, F4].includes(state.invoiceType)) return null;
      return {
        label: 'Cambiar a F1 Factura',
        run: () => dispatch({ kind: 'invoice-type', code: F1, usual: { ivaIncluido: false } }),
      };
    case 'ivaIncluido':
      return {
        label: 'Quitar los impuestos de los precios',
        run: () => {
          const before = context.getState();
          dispatch({ kind: 'prices-without-tax' });
          undoToast('Los precios van ahora sin impuestos.', () =>
            dispatch({ kind: 'replace', state: before }),
          );
        },
      };
    case 'claveRegimen':
      return claveFix(context);
    case 'situacion':
      return { label: 'Sí, lleva IVA español', run: acceptVat };
    default:
      return cell === 'tax' ? taxFix(place ?? '', context) : null;
  }
}

function claveFix({ getState, dispatch }: FixContext): Fix | null {
  if (getState().claveRegimen === '01') return null;
  const change = { claveRegimen: '01' };
  return { label: 'Usar la 01', run: () => dispatch({ kind: 'set', change }) };
}

/** The client's usual tax, for a line whose tax breaks the rules. */
function taxFix(id: string, { getState, groups, dispatch }: FixContext): Fix | null {
  const state = getState();
  const [usual] = taxOptions(groups, state.typeClient);
  const line = state.lines.find((candidate) => candidate.id === id);
  if (!usual || !line || line.tax === usual.VATProdPostingGroup) return null;
  return {
    label: `Usar ${shortTax(usual, usual.VATProdPostingGroup)}`,
    run: () => dispatch({ kind: 'line', id, change: { tax: usual.VATProdPostingGroup } }),
  };
}
