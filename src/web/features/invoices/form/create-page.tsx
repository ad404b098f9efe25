import { notifications } from '@mantine/notifications';
import { useCallback, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { EXCHANGED, PATHS, RECEIPT, TICKET } from '../../../lib/paths.ts';
import { Receipt } from '../receipt/receipt.tsx';
import { FormFrame } from './form-frame.tsx';
import { InvoiceForm } from './invoice-form.tsx';
import {
  type AskedAbono,
  type OpenContext,
  type Opening,
  openAsked,
  openCreate,
  openDuplicate,
  openExchange,
  openFresh,
  openRectifying,
} from './open-form.ts';
import { Opened } from './opened.tsx';
import { useOpening } from './use-opening.ts';

const TITLE = 'Crear factura';

/**
 * «Crear factura». The address says what to start from: nothing, an invoice to rectify (`?rectificar=NO`, with
 * `&tipo=R4&metodo=S&total=1331.00` when the guide chose them) or to repeat (`?duplicar=NO`), simplified ones to
 * exchange (`?canjear=NO,NO`), another simplified one (`?simplificada=1`). Once it is registered, it names the receipt
 * (`?recibo=NO`), so that a reload shows that again and never a form with the same invoice.
 */
export function Component() {
  const [params, setParams] = useSearchParams();
  const [round, setRound] = useState(0);
  const receipt = params.get(RECEIPT);
  const startOver = (isTicket: boolean) => {
    setParams(isTicket ? { [TICKET]: '1' } : {});
    setRound((value) => value + 1);
  };
  const isTicket = params.get(TICKET) !== null;

  if (receipt !== null) {
    return <Receipt docNo={receipt} onAnother={(tipo) => startOver(tipo === 'F2')} />;
  }
  const from = ['rectificar', 'duplicar', EXCHANGED].map((name) => params.get(name) ?? '');
  const source = [...from, round].join('|');
  return (
    <FormFrame title={TITLE}>
      {(context) => (
        <NewInvoice
          key={source}
          context={context}
          rectify={params.get('rectificar')}
          abono={{
            tipo: params.get('tipo'),
            metodo: params.get('metodo'),
            total: params.get('total'),
          }}
          duplicate={params.get('duplicar')}
          exchange={params.get(EXCHANGED)}
          isFresh={round > 0}
          isTicket={isTicket}
          onRegistered={(docNo) => setParams({ [RECEIPT]: docNo }, { replace: true })}
          onStartOver={() => startOver(isTicket)}
        />
      )}
    </FormFrame>
  );
}

/** Users who have it on paper need not type it. */
function UploadInstead() {
  return (
    <p className="hu-muted">
      ¿La tienes en PDF o en papel? <Link to={PATHS.upload}>Súbela y la leemos</Link>
    </p>
  );
}

interface NewInvoiceProps {
  readonly context: OpenContext;
  readonly rectify: string | null;
  readonly abono: AskedAbono;
  readonly duplicate: string | null;
  /** Numbers of simplified invoices, separated by commas. */
  readonly exchange: string | null;
  /** A new invoice was explicitly requested: anything half typed stays where it is. */
  readonly isFresh: boolean;
  readonly isTicket: boolean;
  readonly onRegistered: (docNo: string) => void;
  readonly onStartOver: () => void;
}

function NewInvoice(props: NewInvoiceProps) {
  const { context, rectify, duplicate, exchange, isFresh, isTicket } = props;
  const { tipo, metodo, total } = props.abono;
  const navigate = useNavigate();
  const open = useCallback((): Promise<Opening> => {
    const asked = (open: () => Promise<Opening>) => openAsked(context, location.search, open);
    if (rectify) return asked(() => openRectifying(context, rectify, { tipo, metodo, total }));
    if (duplicate) return asked(() => openDuplicate(context, duplicate));
    if (exchange) return asked(() => openExchange(context, exchange.split(',').filter(Boolean)));
    return isFresh ? openFresh(context, { isTicket }) : openCreate(context, { isTicket });
  }, [context, rectify, tipo, metodo, total, duplicate, exchange, isFresh, isTicket]);
  const state = useOpening(open);

  return (
    <Opened title={TITLE} what="la factura" state={state}>
      {(opening) => (
        <InvoiceForm
          mode="create"
          title={TITLE}
          opening={opening}
          companyId={context.companyId}
          today={context.today}
          onRegistered={({ DocNo }) => props.onRegistered(DocNo)}
          onStartOver={props.onStartOver}
          notice={rectify || duplicate || exchange ? null : <UploadInstead />}
          onLeave={() => {
            notifications.show({ message: 'Borrador guardado. Está en Facturas pendientes.' });
            navigate(PATHS.panel);
          }}
        />
      )}
    </Opened>
  );
}
