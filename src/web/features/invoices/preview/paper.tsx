import { memo, type ReactNode } from 'react';
import type { IssuedInvoice } from '../../../../domain/invoice.ts';
import { isRectificativa, isSimplified } from '../../../../domain/invoice.ts';
import { fecha } from '../../../lib/format.ts';
import classes from './paper.module.css';
import {
  eurosOf,
  headingOf,
  importeOf,
  type PaperRow,
  paperRow,
  percentOf,
  placeOf,
  rateOf,
  reasonOf,
  referenceOf,
} from './paper-rows.ts';

export interface PaperProps {
  readonly invoice: IssuedInvoice;
  /** Base64 PNG, or empty: then the issuer's name stands in its place. */
  readonly logo: string;
  /** Names the region for who does not see it. */
  readonly label: string;
  /** The drawn QR; left out, the place it will take. */
  readonly qr?: ReactNode;
}

/**
 * The invoice on its sheet, to the millimetre of the PDF: the sheet is as wide as it is given room
 * for, and every measure inside is a part of that width. It stays white in the dark: it is paper.
 */
export const Paper = memo(function Paper({ invoice, logo, label, qr }: PaperProps) {
  return (
    <section className={classes.room} aria-label={label}>
      <div className={classes.sheet} data-demo={invoice.esDemo || undefined}>
        {invoice.esDemo && <DemoMarks />}
        <header className={classes.head}>
          <Issuer invoice={invoice} logo={logo} />
          <QrPlace qr={qr} />
          <Data invoice={invoice} />
        </header>
        <Parties invoice={invoice} />
        <Lines invoice={invoice} />
        <div className={classes.end}>
          <Payment invoice={invoice} />
          <Totals invoice={invoice} />
        </div>
        <footer className={classes.foot}>
          <span>{[invoice.emisor.nombre, invoice.emisor.nif].filter(Boolean).join(' · NIF ')}</span>
        </footer>
      </div>
    </section>
  );
});

function DemoMarks() {
  return (
    <>
      <p className={classes.demoStrip}>
        Factura de demostración, sin validez fiscal. No consta en la AEAT.
      </p>
      <span className={classes.demoWord} aria-hidden="true" />
    </>
  );
}

function Issuer({ invoice: { emisor }, logo }: { invoice: IssuedInvoice; logo: string }) {
  return (
    <div className={classes.issuer}>
      <div className={classes.logo}>
        {logo ? (
          <img src={`data:image/png;base64,${logo}`} alt={`Logotipo de ${emisor.nombre}`} />
        ) : (
          <p className={classes.logoName}>{emisor.nombre}</p>
        )}
      </div>
      {logo && <p className={classes.strong}>{emisor.nombre}</p>}
      {emisor.nif && <p>NIF {emisor.nif}</p>}
      <p>{emisor.direccion}</p>
      <p>{placeOf(emisor.postCode, emisor.provincia, emisor.pais)}</p>
    </div>
  );
}

function QrPlace({ qr }: { qr?: ReactNode }) {
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
      <div className={classes.qrPlace}>
        <p>El QR se pone al registrar</p>
      </div>
    </div>
  );
}

function Data({ invoice }: { invoice: IssuedInvoice }) {
  const [first, second] = headingOf(invoice);
  const rows: (readonly [string, string])[] = [
    ['Fecha de expedición', fecha(invoice.fechaExpedicion)],
    ...(invoice.fechaOperacion
      ? ([['Fecha de operación', fecha(invoice.fechaOperacion)]] as const)
      : []),
    ...invoice.vencimientos.map(
      ({ fecha: day }) => ['Vencimiento', fecha(day)] as readonly [string, string],
    ),
  ];
  return (
    <div className={classes.data}>
      <p className={classes.heading}>
        {first}
        {second && (
          <>
            <br />
            {second}
          </>
        )}
      </p>
      <dl className={classes.pairs}>
        <dt>Número</dt>
        <dd className={invoice.numSerie ? classes.number : classes.noNumber}>
          {invoice.numSerie || 'Se asignará al registrar'}
        </dd>
        {rows.map(([name, value]) => (
          <Pair key={`${name} ${value}`} name={name} value={value} />
        ))}
      </dl>
    </div>
  );
}

function Pair({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}

function Parties({ invoice }: { invoice: IssuedInvoice }) {
  const { cliente, tipoFactura } = invoice;
  const referenced = [...invoice.rectifies, ...invoice.sustituye];
  if (!cliente && isSimplified(tipoFactura) && referenced.length === 0) return null;
  return (
    <dl className={classes.parties}>
      {!isSimplified(tipoFactura) && (
        <>
          <dt>Cliente</dt>
          <dd>{cliente ? <Customer cliente={cliente} /> : <i>Elige un cliente</i>}</dd>
        </>
      )}
      {referenced.length > 0 && (
        <>
          <dt>{isRectificativa(tipoFactura) ? 'Rectifica' : 'Sustituye'}</dt>
          <dd>
            {referenced.map((reference) => (
              <p key={reference.numSerie} className={classes.strong}>
                {referenceOf(reference)}
              </p>
            ))}
            <p>{reasonOf(invoice)}</p>
          </dd>
        </>
      )}
    </dl>
  );
}

function Customer({ cliente }: { cliente: NonNullable<IssuedInvoice['cliente']> }) {
  const id = cliente.nif ?? cliente.idOtro?.ID;
  const isSpanish = cliente.countryCode === 'ES';
  const place = placeOf(cliente.postCode, '', isSpanish ? 'ES' : cliente.countryCode);
  return (
    <>
      <p className={classes.customer}>{cliente.nombre}</p>
      {id && <p>NIF {id}</p>}
      <p>{[cliente.direccion, place].filter(Boolean).join(', ')}</p>
    </>
  );
}

function Lines({ invoice }: { invoice: IssuedInvoice }) {
  const isDense = invoice.lines.length > 14;
  return (
    <table className={classes.lines} data-dense={isDense || undefined}>
      <thead>
        <tr>
          <th scope="col">Descripción</th>
          <th scope="col">Cantidad</th>
          <th scope="col">Precio</th>
          <th scope="col">{invoice.lines[0]?.impuesto ?? 'IVA'}</th>
          <th scope="col">Importe</th>
        </tr>
      </thead>
      <tbody>
        {invoice.lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order of its lines is the invoice's.
          <Row key={index} {...paperRow(line, invoice)} />
        ))}
      </tbody>
    </table>
  );
}

/** Memoised by its figures: typing in one line of a hundred draws one row of the paper. */
const Row = memo(function Row({ description, quantity, price, tax, amount }: PaperRow) {
  return (
    <tr>
      <td>{description}</td>
      <td>{quantity}</td>
      <td>{price}</td>
      <td>{tax}</td>
      <td>{amount}</td>
    </tr>
  );
});

function Payment({ invoice }: { invoice: IssuedInvoice }) {
  const isCredit = invoice.total.startsWith('-');
  const how = [invoice.formaPago, invoice.terminoPago].filter(Boolean).join(', ');
  return (
    <div className={classes.payment}>
      {how && (
        <dl>
          <dt>{isCredit ? 'Abono' : 'Forma de pago'}</dt>
          <dd>{how}</dd>
        </dl>
      )}
      {invoice.menciones.map((mention) => (
        <p key={mention}>{mention}</p>
      ))}
      {invoice.notas && <p className={classes.notes}>{invoice.notas}</p>}
    </div>
  );
}

function Totals({ invoice }: { invoice: IssuedInvoice }) {
  const tax = invoice.lines[0]?.impuesto ?? 'IVA';
  return (
    <div className={classes.totals}>
      <table>
        <thead>
          <tr>
            <th scope="col">{tax}</th>
            <th scope="col">Base imponible</th>
            <th scope="col">Cuota</th>
          </tr>
        </thead>
        <tbody>
          {invoice.desglose.map((group) => (
            <tr key={[group.ClaveRegimen, group.OperacionExenta, rateOf(group)].join()}>
              <td>{rateOf(group) || '0\u00a0%'}</td>
              <td>{importeOf(group.base)}</td>
              <td>{importeOf(group.quota)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <dl className={classes.sums}>
        <Pair name="Base imponible" value={eurosOf(invoice.base)} />
        <Pair name={tax} value={eurosOf(invoice.vat)} />
        {invoice.recargo !== '0.00' && (
          <Pair name="Recargo de equivalencia" value={eurosOf(invoice.recargo)} />
        )}
      </dl>
      <p className={classes.band}>
        <span>
          {isSimplified(invoice.tipoFactura) ? `Total, ${tax} incluido` : 'Total factura'}
        </span>
        <span>{eurosOf(invoice.total)}</span>
      </p>
      {invoice.retencionRate !== null && (
        <dl className={classes.after}>
          <Pair
            name={`Retención IRPF ${percentOf(invoice.retencionRate)}`}
            value={eurosOf(negated(invoice.retencion))}
          />
          <dt className={classes.strong}>A cobrar</dt>
          <dd className={classes.strong}>{eurosOf(invoice.payable)}</dd>
        </dl>
      )}
    </div>
  );
}

function negated(text: string): string {
  return text.startsWith('-') ? text.slice(1) : `-${text}`;
}
