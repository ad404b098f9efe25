import { describe, expect, it, vi } from 'vitest';
import type { Finding } from '../../../../contract/invoices.ts';
import { draftReducer, freshDraft } from './draft-state.ts';
import { findingAt, placeFindings, verdictOn } from './findings.ts';
import { fixOf } from './fixes.ts';

const finding = (campo: string, gravedad: Finding['gravedad'] = 'bloquea'): Finding => ({
  campo,
  gravedad,
  mensaje: campo,
});

/** Two written lines with an empty one between them, as after clearing one. */
const reduce = draftReducer([]);
const draft = [
  { kind: 'line', id: 'l1', change: { description: 'Mesa' } } as const,
  { kind: 'line', id: 'l2', change: { description: 'Silla' } } as const,
  { kind: 'line', id: 'l3', change: { description: 'Banco' } } as const,
  { kind: 'line', id: 'l2', change: { description: '' } } as const,
].reduce(reduce, freshDraft('2026-11-20'));

describe('findings in their place', () => {
  it('count the lines as they were sent, without the empty ones', () => {
    const placed = placeFindings(
      [finding('invoiceItems.1.price'), finding('invoiceItems.0.tax')],
      draft,
    );
    expect(placed.map(({ place }) => place)).toEqual(['l1.tax', 'l3.price']);
  });

  it('put blocking ones first, and then follow the form from its top', () => {
    const found = ['notas', 'emisor', 'invoiceItems.1.description', 'invoiceItems.0.tax'];
    const more = [
      'invoiceItems.0.price',
      'invoiceItems.0.quantity',
      'invoiceItems',
      'invoiceClient',
    ];
    const placed = placeFindings(
      [finding('invoiceDate', 'avisa'), ...[...found, ...more].map((campo) => finding(campo))],
      draft,
    );
    expect(placed.map(({ place }) => place)).toEqual([
      ...['invoiceClient', 'notas', 'invoiceItems'],
      ...['l1.quantity', 'l1.price', 'l1.tax', 'l3.description'],
      ...['emisor', 'invoiceDate'],
    ]);
  });

  it('show the worst beside a field, and those about all the lines in none of them', () => {
    const placed = placeFindings(
      [finding('invoiceDate', 'avisa'), finding('invoiceDate'), finding('invoiceItems')],
      draft,
    );
    expect(findingAt(placed, 'invoiceDate')?.gravedad).toBe('bloquea');
    expect(placed.at(-2)?.place).toBe('invoiceItems');
  });
});

it('keeps an amount and its unit on one line', () => {
  const over = { ...finding('isSimplificada'), mensaje: 'Pasa de 400,00 € (660,00 €), al 21 %.' };
  expect(placeFindings([over], draft)[0]?.mensaje).toBe(
    'Pasa de 400,00\u00a0€ (660,00\u00a0€), al 21\u00a0%.',
  );
});

describe('what is missing', () => {
  const missing = (campo: string, state: typeof draft, gravedad?: Finding['gravedad']) =>
    placeFindings([finding(campo, gravedad)], state)[0]?.isMissing;
  const fresh = freshDraft('2026-11-20');

  it('is what was not written yet, and nothing that was written wrong', () => {
    expect(missing('invoiceItems', fresh)).toBe(true);
    expect(missing('invoiceItems', draft)).toBe(false); // Their total, for example.
    expect(missing('invoiceClient', fresh)).toBe(true);
    expect(missing('invoiceClient', { ...fresh, invoiceClient: 'C1' })).toBe(false);
    expect(missing('invoiceToRectify', fresh)).toBe(true);
    expect(missing('invoiceToRectify', { ...fresh, invoiceToRectify: '00001/26' })).toBe(false);
    expect(missing('invoiceDate', fresh)).toBe(false);
    expect(missing('invoiceClient', fresh, 'avisa')).toBe(false);
  });
});

it('counts as errors only what is wrong, not what is still missing', () => {
  const verdict = (...findings: Finding[]) =>
    verdictOn(placeFindings(findings, { ...draft, invoiceClient: '' }));
  const missing = finding('invoiceClient');
  const wrong = finding('invoiceDate');
  const warning = finding('notas', 'avisa');
  expect(verdict(missing, wrong, warning)).toEqual({ kind: 'blocked', errors: 1, warnings: 1 });
  expect(verdict(missing, warning)).toEqual({ kind: 'unfinished', errors: 0, warnings: 1 });
  expect(verdict(warning)).toEqual({ kind: 'warned', errors: 0, warnings: 1 });
  expect(verdict()).toEqual({ kind: 'ready', errors: 0, warnings: 0 });
});

describe('fixes', () => {
  const contextOf = (state = draft) => ({
    getState: () => state,
    today: '2026-11-20',
    groups: [],
    dispatch: vi.fn(),
    hasCard: () => state.invoiceClient === 'C1',
    isGone: () => state.invoiceClient === 'C-GONE',
    editClient: vi.fn(),
    acceptVat: vi.fn(),
    goToProfile: vi.fn(),
  });
  const placed = (campo: string, gravedad?: Finding['gravedad']) => {
    const [first] = placeFindings([finding(campo, gravedad)], draft);
    if (!first) throw new Error('Nothing was found');
    return first;
  };

  it('offer to edit the client only when there is one with a card', () => {
    expect(fixOf(placed('invoiceClient'), contextOf())).toBeNull();
    const deleted = contextOf({ ...draft, invoiceClient: 'C-DELETED' });
    expect(fixOf(placed('invoiceClient'), deleted)).toBeNull();
    const context = contextOf({ ...draft, invoiceClient: 'C1' });
    fixOf(placed('invoiceClient'), context)?.run();
    expect(context.editClient).toHaveBeenCalledOnce();
  });

  it('offer to remove the day of the operation only when there is one', () => {
    const placedDay = placed('fechaOperacion');
    expect(fixOf(placedDay, contextOf())).toBeNull();
    const context = contextOf({ ...draft, fechaOperacion: '2026-11-02' });
    expect(fixOf(placedDay, context)?.label).toBe('Quitar la fecha de operación');
  });

  it('call a card incomplete only if that keeps the invoice from being registered', () => {
    const context = contextOf({ ...draft, invoiceClient: 'C1' });
    expect(fixOf(placed('invoiceClient'), context)?.label).toBe('Completar la ficha');
    expect(fixOf(placed('invoiceClient', 'avisa'), context)?.label).toBe('Abrir la ficha');
  });

  it('offer to remove a client that no longer exists', () => {
    const context = contextOf({ ...draft, invoiceClient: 'C-GONE' });
    fixOf(placed('invoiceClient'), context)?.run();
    expect(context.dispatch).toHaveBeenCalledWith({ kind: 'client', client: null });
  });

  it('offer today if the date is another', () => {
    expect(fixOf(placed('invoiceDate'), contextOf())).toBeNull();
    const context = contextOf({ ...draft, invoiceDate: '2026-12-01' });
    fixOf(placed('invoiceDate'), context)?.run();
    expect(context.dispatch).toHaveBeenCalledWith({
      kind: 'set',
      change: { invoiceDate: '2026-11-20' },
    });
  });

  it('offer to remove the day of the operation only where there is one and it is not required', () => {
    expect(fixOf(placed('fechaOperacion'), contextOf())).toBeNull();
    const context = contextOf({ ...draft, fechaOperacion: '2026-12-01' });
    expect(fixOf(placed('fechaOperacion'), context)?.label).toBe('Quitar la fecha de operación');
    expect(fixOf({ ...placed('fechaOperacion'), codigo: '1147' }, context)).toBeNull();
  });

  it('offer another clave, not the card, to a client that cannot have the clave 14', () => {
    const ofClave14 = { ...placed('invoiceClient'), codigo: '1149' };
    const context = contextOf({ ...draft, invoiceClient: 'C1', claveRegimen: '14' });
    expect(fixOf(ofClave14, context)?.label).toBe('Usar la 01');
    // The clave is that of a line.
    expect(fixOf(ofClave14, contextOf({ ...draft, invoiceClient: 'C1' }))).toBeNull();
  });

  it('offer F1 in place of F4 or of a simplified one', () => {
    expect(fixOf(placed('invoiceType'), contextOf())).toBeNull();
    const context = contextOf({ ...draft, invoiceType: 3 });
    fixOf(placed('invoiceType'), context)?.run();
    expect(context.dispatch).toHaveBeenCalledWith(
      expect.objectContaining({ kind: 'invoice-type', code: 0 }),
    );
  });
});
