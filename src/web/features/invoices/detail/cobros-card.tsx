import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCircleCheck, IconClockExclamation, IconCoins, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Fragment, useContext, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { Cobros } from '../../../../contract/cobros.ts';
import type { InvoiceDetail } from '../../../../contract/invoices.ts';
import { creditWords, medioLabel, payableLabel } from '../../../../domain/cobros.ts';
import { type IssuedInvoice, isSimplified, type TipoFactura } from '../../../../domain/invoice.ts';
import { cobroOf } from '../../../../domain/paid-before.ts';
import { euros, fecha } from '../../../lib/format.ts';
import { errorMessages, http } from '../../../lib/http.ts';
import { newKey } from '../../../lib/new-key.ts';
import { invoicePath } from '../../../lib/paths.ts';
import { requireToken } from '../../../lib/require-token.ts';
import { Chip } from '../../../ui/chip.tsx';
import { confirmAction } from '../../../ui/confirm.tsx';
import { useErrorDialog } from '../../../ui/error-dialog.tsx';
import { toSection } from '../../../ui/focus-after.ts';
import { PanelClosed } from '../../../ui/page-title.tsx';
import { useCompanyToday } from '../../../ui/use-today.ts';
import { CobroDialog } from './cobro-dialog.tsx';
import classes from './cobros-card.module.css';
import { useShowAnew, useShowCobros } from './use-show-cobros.ts';

type Cobro = Cobros['lista'][number];

export interface CobrosCardProps {
  readonly detail: InvoiceDetail;
}

/** What is to be collected of an invoice, what was noted down as collected, and what is left. */
export function CobrosCard({ detail }: CobrosCardProps) {
  const { cobros, emitida } = detail;
  const [isNoting, setIsNoting] = useState(false);
  const isClosed = useContext(PanelClosed);
  if (!cobros || !emitida || isLeftOut(cobros, emitida as unknown as IssuedInvoice)) return null;
  const { aCobrar, cobradoAntes, cobrado, pendiente, cerrado, lista } = cobros;
  const { tipoFactura } = emitida as unknown as IssuedInvoice;
  const credit = creditWords(tipoFactura);
  const isGivenBack = cobrado === 0 ? aCobrar < 0 : cobrado < 0;
  return (
    <section className={`hu-card ${classes.card}`} aria-labelledby="cobros">
      <div className={classes.head}>
        <h2 id="cobros" tabIndex={-1} className={classes.title}>
          Cobros
        </h2>
        <State cobros={cobros} tipoFactura={tipoFactura} />
      </div>
      <dl className={classes.sums}>
        {/* Of one that is annulled or replaced, only what was paid. */}
        {!cerrado && <Sum label={payableLabel(aCobrar, tipoFactura)} value={aCobrar} />}
        {cobradoAntes !== undefined && (
          <Sum
            label={`${cobradoAntes < 0 ? credit.done : 'Cobrado'} con la que sustituye`}
            value={cobradoAntes}
          />
        )}
        {(!cerrado || cobrado !== 0) && (
          <Sum label={isGivenBack ? credit.done : 'Cobrado'} value={cobrado} />
        )}
        {!cerrado && (
          <Sum label={pendiente < 0 ? credit.left : 'Pendiente'} value={pendiente} isLast />
        )}
      </dl>
      <When cobros={cobros} />
      {lista.length > 0 && (
        <ul className={classes.list}>
          {lista.map((cobro) => (
            <Row
              key={cobro.id}
              docNo={cobros.DocNo}
              cobro={cobro}
              creditNoun={credit.noun}
              isFixed={isClosed}
            />
          ))}
        </ul>
      )}
      {cerrado && (
        <p className="hu-muted">
          <Closed words={cerrado} detail={detail} />
        </p>
      )}
      {!cerrado && <Settled detail={detail} />}
      {pendiente !== 0 && !isClosed && (
        <Button
          variant="default"
          leftSection={<IconCoins size={16} stroke={1.8} aria-hidden="true" />}
          onClick={() => setIsNoting(true)}
        >
          Anotar {pendiente < 0 ? credit.noun : 'cobro'}
        </Button>
      )}
      {isNoting && (
        <CobroDialog
          cobros={cobros}
          emitida={emitida as unknown as IssuedInvoice}
          onClose={() => setIsNoting(false)}
        />
      )}
    </section>
  );
}

/**
 * Nothing to collect, or a ticket, which is paid when it is handed over (decision 0388), unless something was noted down
 * of it or of what it replaces. Under criterio de caja the book has to say when a ticket was paid.
 */
function isLeftOut(cobros: Cobros, emitida: IssuedInvoice): boolean {
  const { aCobrar, cobradoAntes, criterioDeCaja, lista } = cobros;
  if (lista.length > 0 || cobradoAntes !== undefined) return false;
  const isTicket = isSimplified(emitida.tipoFactura) && cobroOf(emitida).alContado;
  return aCobrar === 0 || (isTicket && !criterioDeCaja);
}

interface StateProps {
  readonly cobros: Cobros;
  readonly tipoFactura: TipoFactura;
}

function State({ cobros, tipoFactura }: StateProps) {
  const { aCobrar, pendiente, cobrado, cobradoAntes = 0, cerrado, vencidaDesde } = cobros;
  if (cerrado) return null;
  if (pendiente === 0) {
    return (
      <Chip tone="green" icon={IconCircleCheck}>
        {aCobrar < 0 ? creditWords(tipoFactura).state : 'Cobrada'}
      </Chip>
    );
  }
  if (Math.sign(pendiente) !== Math.sign(aCobrar)) {
    return (
      <Chip tone="amber" icon={IconCoins}>
        {pendiente < 0 ? 'Cobrada de más' : 'Devuelta de más'}
      </Chip>
    );
  }
  if (vencidaDesde) {
    return (
      <Chip tone="amber" icon={IconClockExclamation}>
        Vencida
      </Chip>
    );
  }
  return cobrado + cobradoAntes === 0 ? null : <Chip tone="grey">En parte</Chip>;
}

interface ClosedProps {
  readonly words: string;
  readonly detail: InvoiceDetail;
}

/** Why nothing is collected of it. The number of the invoice that takes its place leads to that one. */
function Closed({ words, detail: { canjeadaPor, rectificadaPor = [] } }: ClosedProps) {
  const replacing = [...rectificadaPor, canjeadaPor].find(
    (docNo) => docNo && words.includes(` ${docNo}:`),
  );
  if (!replacing) return words;
  const [before, after] = words.split(replacing);
  return (
    <>
      {before}
      <Link to={invoicePath(replacing)}>{replacing}</Link>
      {after}
    </>
  );
}

function When({ cobros: { vencidaDesde, vence } }: { readonly cobros: Cobros }) {
  if (vencidaDesde) return <p className={classes.when}>Vencida desde el {fecha(vencidaDesde)}.</p>;
  return vence ? <p className={classes.when}>Vence el {fecha(vence)}.</p> : null;
}

/** An invoice and its credit have an account each, so what is settled between them is noted down in both. */
function Settled({ detail: { cobros, abonos = [], descontableDe = [] } }: CobrosCardProps) {
  const isClosed = useContext(PanelClosed);
  if (cobros && cobros.pendiente < 0 && descontableDe.length > 0) {
    return (
      <p className={classes.when}>
        Si lo descuentas de lo que queda por cobrar de{' '}
        {descontableDe.map((docNo, at) => (
          <Fragment key={docNo}>
            {at > 0 && ', '}
            <Link to={invoicePath(docNo)}>{docNo}</Link>
          </Fragment>
        ))}
        , pulsa allí «Compensar».
      </p>
    );
  }
  if (!cobros || cobros.pendiente <= 0 || isClosed) return null;
  return abonos.map((abono) => <Settle key={abono.DocNo} cobros={cobros} abono={abono} />);
}

interface SettleProps {
  readonly cobros: Cobros;
  readonly abono: NonNullable<InvoiceDetail['abonos']>[number];
}

/** Notes down as much as fits, today, as collected of the invoice and as given back of its credit. */
function Settle({ cobros: { DocNo, pendiente }, abono }: SettleProps) {
  const errors = useErrorDialog();
  const show = useShowCobros();
  const today = useCompanyToday();
  const showAnew = useShowAnew();
  const amount = Math.min(pendiente, -abono.pendiente);
  // One key for all attempts at the same amount: after a lost answer, the next one says that it was done.
  const attempt = useRef({ of: '', key: '' });
  const settle = useMutation({
    mutationFn: () => {
      requireToken('El token ha caducado');
      const json = { No: DocNo, Fecha: today, Importe: amount, Medio: '04', Abono: abono.DocNo };
      const of = `${today} ${amount}`;
      if (attempt.current.of !== of) attempt.current = { of, key: newKey() };
      return http<Cobros>('/api/PostData/AnotarCobro', {
        json,
        idempotencyKey: attempt.current.key,
      });
    },
    onSuccess: async (noted) => {
      attempt.current = { of: '', key: '' };
      notifications.show({ message: `Compensada con el abono ${abono.DocNo}.` });
      await show(noted);
    },
    onError: (error) => {
      errors.show(errorMessages(error));
      return showAnew();
    },
  });
  const ask = async () => {
    const goesOn = await confirmAction({
      title: `Compensar con el abono ${abono.DocNo}`,
      message: `Se anotan hoy ${euros(amount)} como compensados, aquí y en el abono.`,
      confirm: 'Compensar',
    });
    if (goesOn) settle.mutate();
  };
  return (
    <p className={classes.when}>
      ¿Le descuentas el abono {abono.DocNo}?{' '}
      <button
        ref={toSection}
        type="button"
        className="hu-link"
        aria-disabled={settle.isPending || undefined}
        onClick={() => !settle.isPending && ask()}
      >
        Compensar {euros(amount)}
      </button>
    </p>
  );
}

interface SumProps {
  readonly label: string;
  readonly value: number;
  readonly isLast?: boolean;
}

/** Without a sign: the label says which way the money goes. */
function Sum({ label, value, isLast = false }: SumProps) {
  return (
    <div data-last={isLast || undefined}>
      <dt>{label}</dt>
      <dd>{euros(Math.abs(value))}</dd>
    </div>
  );
}

interface RowProps {
  readonly docNo: string;
  readonly cobro: Cobro;
  /** What it is called if it was given back. */
  readonly creditNoun: 'devolución' | 'compensación';
  readonly isFixed: boolean;
}

const REMOVED = {
  cobro: 'Cobro eliminado.',
  devolución: 'Devolución eliminada.',
  compensación: 'Compensación eliminada.',
};
const REMOVED_IN_BOTH = 'Compensación eliminada en las dos facturas.';

function Row({ docNo, cobro, creditNoun, isFixed }: RowProps) {
  const { id, Fecha, Importe, CompensadoCon } = cobro;
  const errors = useErrorDialog();
  const show = useShowCobros();
  const showAnew = useShowAnew();
  const kind = CompensadoCon ? 'compensación' : Importe < 0 ? creditNoun : 'cobro';
  const remove = useMutation({
    mutationFn: () => {
      requireToken('El token ha caducado');
      return http<Cobros>('/api/PostData/EliminarCobro', { json: { No: docNo, id } });
    },
    onSuccess: async (cobros) => {
      const message = CompensadoCon ? REMOVED_IN_BOTH : REMOVED[kind];
      notifications.show({ message });
      await show(cobros);
    },
    onError: (error) => {
      errors.show(errorMessages(error));
      return showAnew();
    },
  });
  const ask = async () => {
    const goesOn = await confirmAction({
      title: `Eliminar ${kind}`,
      message: CompensadoCon
        ? `Se quita lo anotado el ${fecha(Fecha)} en las dos: ${euros(Math.abs(Importe))} aquí y en ${CompensadoCon}. Ninguna de las facturas cambia.`
        : `Se quita lo anotado el ${fecha(Fecha)}: ${euros(Importe)}. La factura no cambia.`,
      confirm: `Eliminar ${kind}`,
      danger: true,
    });
    if (goesOn) remove.mutate();
  };
  return (
    <li className={classes.row}>
      <span className={classes.what}>
        <span className="hu-figures">{fecha(Fecha)}</span>
        <span className={classes.by}>
          <By cobro={cobro} />
        </span>
      </span>
      <span className={classes.amount}>{euros(Importe)}</span>
      {!isFixed && (
        <Tooltip label="Eliminar">
          <ActionIcon
            ref={toSection}
            aria-label={`Eliminar ${kind} de ${euros(Math.abs(Importe))} del ${fecha(Fecha)}`}
            aria-disabled={remove.isPending || undefined}
            onClick={() => !remove.isPending && ask()}
          >
            <IconTrash size={16} stroke={1.7} aria-hidden="true" />
          </ActionIcon>
        </Tooltip>
      )}
    </li>
  );
}

/** How it was paid; of what was settled, with which invoice, whose number is usually what proves it. */
function By({ cobro: { Medio, Identificacion, CompensadoCon } }: { readonly cobro: Cobro }) {
  if (!CompensadoCon) return [medioLabel(Medio), Identificacion].filter(Boolean).join(' · ');
  return (
    <>
      Compensado con <Link to={invoicePath(CompensadoCon)}>{CompensadoCon}</Link>
      {Identificacion && Identificacion !== CompensadoCon && ` · ${Identificacion}`}
    </>
  );
}
