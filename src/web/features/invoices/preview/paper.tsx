import { memo, type ReactNode, useMemo } from 'react';
import { type IssuedInvoice, isSimplified } from '../../../../domain/invoice.ts';
import {
  type Datum,
  headingOf,
  type Paper as PaperModel,
  type PaperRow,
  type Party,
  paperOf,
  type Reference,
  type Sum,
} from '../../../../domain/paper/paper.ts';
import classes from './paper.module.css';

export interface PaperProps {
  readonly invoice: IssuedInvoice;
  /** Not registered: it says so instead of showing a number, and has no QR. */
  readonly isDraft: boolean;
  /** It has no effect any more, which its PDF says too. */
  readonly isAnnulled?: boolean;
  /** Base64 PNG, or empty: then the issuer's name is shown instead. */
  readonly logo: string;
  /** Accessible name of the region. */
  readonly label: string;
  /** The drawn QR; if omitted, its place stays empty. */
  readonly qr?: ReactNode;
}

/** From this many lines on, rows are closer together, as in the PDF. */
const MANY_LINES = 15;

/**
 * The invoice on its sheet, with the words, numbers and proportions of the PDF: it is as wide as its container, and
 * every measure inside is a fraction of that width. It stays white in dark mode, like paper.
 */
export const Paper = memo(function Paper(props: PaperProps) {
  const { invoice, isDraft, isAnnulled = false, logo, label, qr } = props;
  const paper = useMemo(() => paperOf(invoice, { draft: isDraft }), [invoice, isDraft]);
  const asksForClient = !paper.client && !isSimplified(invoice.tipoFactura);
  return (
    <section className={classes.room} aria-label={label}>
      <div className={classes.sheet} data-demo={invoice.esDemo || undefined}>
        {invoice.esDemo && <DemoStrip />}
        {isAnnulled ? <Watermark word="ANULADA" /> : invoice.esDemo && <Watermark word="DEMO" />}
        <header className={classes.head}>
          <Issuer issuer={paper.issuer} logo={logo} />
          <QrPlace qr={qr} isDraft={isDraft} />
          <div className={classes.data}>
            {/* A draft shows what it will be called. */}
            <Heading words={headingOf(invoice.tipoFactura)} note={isAnnulled ? 'Anulada' : ''} />
            <Data data={paper.data} />
          </div>
        </header>
        <dl className={classes.parties}>
          {(paper.client || asksForClient) && (
            <>
              <dt>Cliente</dt>
              <dd>{paper.client ? <Client client={paper.client} /> : <i>Elige un cliente</i>}</dd>
            </>
          )}
          {paper.reference && <References reference={paper.reference} />}
        </dl>
        <Lines table={paper.table} />
        <div className={classes.end}>
          <Payment paper={paper} />
          <Totals paper={paper} />
        </div>
        <footer className={classes.foot}>{paper.foot}</footer>
      </div>
    </section>
  );
});

function DemoStrip() {
  return (
    <p className={classes.demoStrip}>
      Factura de demostración, sin validez fiscal. No consta en la AEAT.
    </p>
  );
}

function Watermark({ word }: { word: string }) {
  return <span className={classes.watermark} data-word={word} aria-hidden="true" />;
}

function Issuer({ issuer, logo }: { issuer: Party; logo: string }) {
  return (
    <div className={classes.issuer}>
      {logo && (
        <img
          className={classes.logo}
          src={`data:image/png;base64,${logo}`}
          alt={`Logotipo de ${issuer.name}`}
        />
      )}
      <p className={logo ? classes.strong : classes.logoName}>{issuer.name}</p>
      {issuer.lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  );
}

function QrPlace({ qr, isDraft }: Pick<PaperProps, 'qr' | 'isDraft'>) {
  if (qr) {
    return (
      <div className={classes.qr}>
        <p>QR tributario:</p>
        <div className={classes.qrBox}>{qr}</div>
        <p>VERI*FACTU</p>
      </div>
    );
  }
  return (
    <div className={classes.qr}>
      <div className={classes.qrPlace}>{isDraft && <p>El QR se pone al registrar</p>}</div>
    </div>
  );
}

function Heading({ words, note }: { words: readonly string[]; note: string }) {
  return (
    <p className={classes.heading}>
      {words.map((word) => (
        <span key={word}>{word} </span>
      ))}
      {note && <span className={classes.headingNote}>{note}</span>}
    </p>
  );
}

const KIND: Record<NonNullable<Datum['kind']>, string | undefined> = {
  number: classes.number,
  pending: classes.noNumber,
};

/** A longer one would be broken in two, and is smaller, as in the PDF. */
const LONG_NUMBER = 16;

function Data({ data }: { data: readonly Datum[] }) {
  return (
    <dl className={classes.pairs}>
      {data.map(({ label, value, kind }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd
            className={kind && KIND[kind]}
            data-long={(kind === 'number' && value.length > LONG_NUMBER) || undefined}
          >
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Pair({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}

function Client({ client }: { client: Party }) {
  return (
    <>
      <p className={classes.customer}>{client.name}</p>
      {client.lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </>
  );
}

function References({ reference }: { reference: Reference }) {
  return (
    <>
      <dt>{reference.label}</dt>
      <dd>
        {reference.invoices.map((invoice) => (
          <p key={invoice} className={classes.strong}>
            {invoice}
          </p>
        ))}
        {reference.lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </dd>
    </>
  );
}

function Lines({ table }: { table: PaperModel['table'] }) {
  const { rows, taxName, hasDiscounts, priceLabel, amountLabel } = table;
  return (
    <table className={classes.lines} data-dense={rows.length >= MANY_LINES || undefined}>
      <thead>
        <tr>
          <th scope="col">Descripción</th>
          <th scope="col">Cantidad</th>
          <th scope="col">{priceLabel}</th>
          {hasDiscounts && <th scope="col">Dto.</th>}
          {taxName ? <th scope="col">{taxName}</th> : <td className={classes.noTax} />}
          <th scope="col">{amountLabel}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ amountCents: _carried, ...row }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order of its lines is the invoice's.
          <Row key={index} {...row} hasDiscounts={hasDiscounts} />
        ))}
      </tbody>
    </table>
  );
}

type RowProps = Omit<PaperRow, 'amountCents'> & Pick<PaperModel['table'], 'hasDiscounts'>;

/** Memoised by its values: typing in one line of a hundred redraws only one row. */
const Row = memo(function Row({ description, quantity, price, tax, amount, ...row }: RowProps) {
  return (
    <tr>
      <td>{description}</td>
      <td>{quantity}</td>
      <td>{price}</td>
      {row.hasDiscounts && <td>{row.discount}</td>}
      <td>{tax}</td>
      <td>{amount}</td>
    </tr>
  );
});

function Payment({ paper: { payment, mentions, notes } }: { paper: PaperModel }) {
  return (
    <div className={classes.payment}>
      {payment.length > 0 && (
        <dl>
          {payment.map(({ label, value }) => (
            <Pair key={label} name={label} value={value} />
          ))}
        </dl>
      )}
      {mentions.map((mention) => (
        <p key={mention}>{mention}</p>
      ))}
      {notes && <p className={classes.notes}>{notes}</p>}
    </div>
  );
}

function Totals({ paper: { rates, sums, total, afterTotal, table } }: { paper: PaperModel }) {
  return (
    <div className={classes.totals}>
      {rates.length > 0 && (
        <table>
          <thead>
            <tr>
              {table.taxName ? <th scope="col">{table.taxName}</th> : <td />}
              <th scope="col">Base imponible</th>
              <th scope="col">Cuota</th>
            </tr>
          </thead>
          <tbody>
            {rates.map(({ label, base, quota }) => (
              <tr key={`${label} ${base}`}>
                <td>{label}</td>
                <td>{base}</td>
                <td>{quota}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {sums.length > 0 && <Sums sums={sums} className={classes.sums} />}
      <p className={classes.band}>
        <span>{total.label}</span>
        <span>{total.amount}</span>
      </p>
      {afterTotal.length > 0 && <Sums sums={afterTotal} className={classes.after} />}
    </div>
  );
}

function Sums({ sums, className }: { sums: readonly Sum[]; className: string | undefined }) {
  return (
    <dl className={className}>
      {sums.map(({ label, amount }) => (
        <Pair key={label} name={label} value={amount} />
      ))}
    </dl>
  );
}
