import type { IssuedInvoice } from '../domain/invoice.ts';
import { isSimplified } from '../domain/invoice.ts';
import { type Paper, paperOf } from '../domain/paper/paper.ts';
import { drawA4 } from './a4.ts';
import { closeDocument, openDocument } from './document.ts';
import { prepareLogo } from './logo.ts';
import { ANNULLED, DEMO, DEMO_FOOT, DRAFT, type Marks } from './marks.ts';
import { drawTicket } from './ticket.ts';

export interface InvoicePdfOptions {
  /** The company's logo; an invalid picture is left out. */
  readonly logoPng?: Uint8Array;
  /** Marks it as an invoice without fiscal validity. */
  readonly demo: boolean;
  /** Not registered yet: «Borrador», without number or QR. */
  readonly draft?: boolean;
  /** Issued again because the first copy was lost (RD 1619/2012 art. 14), which it states. */
  readonly duplicate?: boolean;
  /** It has no effect any more, which its copies say (decision 0395). */
  readonly annulled?: boolean;
  /** `ticket` is 80 mm wide, for simplified invoices; the others are always A4. */
  readonly size?: 'a4' | 'ticket';
}

/**
 * The invoice as PDF, made only from what was frozen when it was issued: the same invoice always gives the same
 * bytes, and others once it is annulled.
 *
 * Tagged for screen readers, in Spanish, with embedded fonts. Measures and typography are those of the design, in
 * millimetres, each beside what it positions.
 */
export async function invoicePdf(
  invoice: IssuedInvoice,
  options: InvoicePdfOptions,
): Promise<Uint8Array> {
  const {
    logoPng,
    demo,
    draft = false,
    annulled = false,
    duplicate = false,
    size = 'a4',
  } = options;
  const paper = paperOf(invoice, { draft });
  const logo = logoPng ? await prepareLogo(logoPng) : null;
  const open = openDocument({
    title: paper.title,
    author: paper.issuer.name,
    day: invoice.fechaExpedicion,
  });
  const marks = marksOf(paper, { demo, draft, annulled });
  const note = annulled ? 'Anulada' : duplicate ? 'Duplicado' : null;
  const isTicket = size === 'ticket' && isSimplified(invoice.tipoFactura);
  const draw = isTicket ? drawTicket : drawA4;
  await draw(open, { paper, logo, note }, marks);
  return closeDocument(open);
}

function marksOf(
  paper: Paper,
  { demo, draft, annulled }: { demo: boolean; draft: boolean; annulled: boolean },
): Marks {
  return {
    watermark: draft ? DRAFT : annulled ? ANNULLED : demo ? DEMO : null,
    hasDemoStrip: demo,
    foot: demo ? DEMO_FOOT : paper.foot,
  };
}
