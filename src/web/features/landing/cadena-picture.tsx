import { IconArrowRight, IconCircleCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { huellaCorta } from '../../lib/format.ts';
import { Sello } from '../../ui/sello.tsx';
import classes from './cadena-picture.module.css';
import { EXAMPLE } from './example.ts';
import { EXAMPLE_QR_PATH, EXAMPLE_QR_SIZE } from './example-qr.ts';

/**
 * The cadena as a picture: sheets hanging from one thread, each by its sello. It is HTML and SVG, so that it is sharp
 * everywhere and small; one sentence describes it to those who do not see it.
 */
export function CadenaPicture() {
  const { older, previous, invoice, next } = EXAMPLE;
  return (
    <div
      className={classes.picture}
      role="img"
      aria-label="Facturas unidas por su cadena de huellas"
    >
      <span className={classes.thread} />
      <span className={classes.entersNext}>
        entra en la siguiente <IconArrowRight size={14} />
      </span>
      <Small place={-818} {...older} />
      <Small place={-468} {...previous} />
      <div className={classes.hanging} data-main>
        <Caption number={invoice.number} text={huellaCorta(invoice.huella)} />
        <span className={classes.sello}>
          <Sello huella={invoice.huella} size={174} />
        </span>
        <Invoice />
      </div>
      <div className={classes.hanging} style={place(468)} data-next>
        <Caption number={next.number} text="al registrar" />
        <span className={classes.sello}>
          <Sello size={118} />
        </span>
        <div className={classes.comingSheet}>Tu próxima factura se unirá aquí</div>
      </div>
      <Answer />
    </div>
  );
}

const place = (x: number) => ({ left: `calc(50% + ${x}px)` });

function Caption({ number, text }: { readonly number: string; readonly text: string }) {
  return (
    <span className={classes.caption}>
      <strong>{number}</strong>
      {text}
    </span>
  );
}

interface SmallProps {
  readonly place: number;
  readonly number: string;
  readonly total: string;
  readonly huella: string;
}

/** A neighbour: its lines are just bars, because only its place in the cadena matters. */
function Small({ place: x, number, total, huella }: SmallProps) {
  return (
    <div className={classes.hanging} style={place(x)}>
      <Caption number={number} text={`${huella.slice(0, 8)}…${huella.slice(-4)}`} />
      <span className={classes.sello}>
        <Sello huella={huella} size={118} />
      </span>
      <div className={classes.smallSheet}>
        <div className={classes.smallHead}>
          <ExampleLogo />
          <span className={classes.smallNumber}>
            <strong>Factura</strong>
            {number}
          </span>
        </div>
        <div className={classes.smallBars}>
          {[46, 64].map((width) => (
            <i key={width} style={{ width: `${width}%` }} />
          ))}
          {[60, 44, 50, 38, 56].map((width) => (
            <span key={width}>
              <i style={{ width: `${width}%` }} />
              <i style={{ width: '14%' }} />
            </span>
          ))}
        </div>
        <div className={classes.band}>
          <span>Total factura</span>
          <span>{total}</span>
        </div>
      </div>
    </div>
  );
}

function Invoice() {
  const { issuer, customer, invoice, lines } = EXAMPLE;
  return (
    <div className={classes.sheet}>
      <div className={classes.sheetHead}>
        <div>
          <ExampleLogo />
          <strong>{issuer.name}</strong>
          <span>NIF {issuer.nif}</span>
          <span>{issuer.street}</span>
          <span>{issuer.city}</span>
        </div>
        <div className={classes.qr}>
          <strong>QR tributario:</strong>
          <svg
            viewBox={`0 0 ${EXAMPLE_QR_SIZE} ${EXAMPLE_QR_SIZE}`}
            width={104}
            height={104}
            shapeRendering="crispEdges"
            aria-hidden="true"
          >
            <path d={EXAMPLE_QR_PATH} />
          </svg>
          <strong>VERI*FACTU</strong>
        </div>
        <div className={classes.data}>
          <strong className={classes.word}>Factura</strong>
          <Datum label="Número" bold>
            {invoice.number}
          </Datum>
          <Datum label="Fecha">{invoice.date}</Datum>
          <Datum label="Vence">{invoice.due}</Datum>
        </div>
      </div>
      <div className={classes.customer}>
        <span className={classes.label}>Cliente</span>
        <span>
          <strong>{customer.name}</strong>
          {customer.data}
        </span>
      </div>
      <div className={classes.lines}>
        <span className={classes.linesHead}>
          <i>Descripción</i>
          <i>Cantidad</i>
          <i>Precio</i>
          <i>IVA</i>
          <i>Importe</i>
        </span>
        {lines.map(([description, quantity, price, rate, amount]) => (
          <span key={description}>
            <b>{description}</b>
            <i>{quantity}</i>
            <i>{price}</i>
            <i>{rate}</i>
            <b>{amount}</b>
          </span>
        ))}
      </div>
      <div className={classes.sheetFoot}>
        <span className={classes.label}>Factura de ejemplo</span>
        <div>
          <Datum label="Base imponible">{invoice.base}</Datum>
          <Datum label="IVA 4 %, 10 % y 21 %">{invoice.vat}</Datum>
          <div className={classes.band}>
            <span>Total factura</span>
            <span>{invoice.total}</span>
          </div>
        </div>
      </div>
    </div>
  );
}

interface DatumProps {
  readonly label: string;
  readonly bold?: boolean;
  readonly children: ReactNode;
}

function Datum({ label, bold, children }: DatumProps) {
  return (
    <span className={classes.datum}>
      <span className={classes.label}>{label}</span>
      {bold ? <strong>{children}</strong> : <span>{children}</span>}
    </span>
  );
}

/** The AEAT's answer, floating to the right of the sheet. */
function Answer() {
  return (
    <div className={classes.answer}>
      <span className={classes.registered}>
        <IconCircleCheck size={14} stroke={1.9} /> Registrada
      </span>
      <Datum label="Enviada a la AEAT" bold>
        10:32:08
      </Datum>
      <Datum label="Aceptada" bold>
        10:32:09
      </Datum>
      <Datum label="CSV" bold>
        A-7KQ2XWMP4D9ZTF
      </Datum>
    </div>
  );
}

/** The logo of the example company: the user's, not ours. */
function ExampleLogo() {
  return (
    <span className={classes.logo}>
      <svg viewBox="0 0 24 36" width="22" height="34" aria-hidden="true">
        <path
          fill="#b4532a"
          d="M12 0c1 8 11 12 11 23a11 11 0 0 1-22 0c0-6 4-8 5-13 2 1 3 3 3 5 3-4 4-9 3-15z"
        />
        <path fill="#f7e2d3" d="M12 35a6 6 0 0 1-6-6c0-5 5-6 6-11 1 5 6 6 6 11a6 6 0 0 1-6 6z" />
      </svg>
      <span>
        Obrador
        <br />
        Candela
      </span>
    </span>
  );
}
