import { Button, CopyButton } from '@mantine/core';
import {
  IconCheck,
  IconCircleCheck,
  IconCopy,
  IconDownload,
  IconMail,
  IconPlus,
} from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { InvoiceDetail, TimelineStep } from '../../../../contract/invoices.ts';
import type { TipoFactura } from '../../../../domain/invoice.ts';
import { downloadInvoice } from '../../../lib/download-invoice.ts';
import { entero, huellaEnGrupos, importe } from '../../../lib/format.ts';
import { errorMessages } from '../../../lib/http.ts';
import { guidePath, invoicePath, PATHS } from '../../../lib/paths.ts';
import { companyPictureQuery, conexionQuery, invoiceDetailQuery } from '../../../lib/queries.ts';
import { useErrorDialog } from '../../../ui/error-dialog.tsx';
import { FailedCard } from '../../../ui/failed-state.tsx';
import { Hint } from '../../../ui/hint.tsx';
import { InvoiceError } from '../../../ui/invoices/invoice-cells.tsx';
import { useWaitingNote } from '../../../ui/invoices/use-waiting-note.ts';
import { PageTitle, usePageTitle } from '../../../ui/page-title.tsx';
import { Sello } from '../../../ui/sello.tsx';
import { SkeletonBar } from '../../../ui/skeleton-rows.tsx';
import { StatusChip } from '../../../ui/status-chip.tsx';
import { useShortcuts } from '../../../ui/use-shortcuts.ts';
import { DetailPaper } from '../detail/detail-paper.tsx';
import { PrintButton } from '../detail/print-button.tsx';
import { SendDialog } from '../detail/send-dialog.tsx';
import { ShareButton } from '../detail/share-button.tsx';
import classes from './receipt.module.css';

export interface ReceiptProps {
  readonly docNo: string;
  /** @param tipo of the registered invoice */
  readonly onAnother: (tipo: TipoFactura) => void;
  /** Text of that button. */
  readonly another?: string;
}

/** Shown instead of the form once the invoice is registered. Its state updates automatically. */
export function Receipt({ docNo, onAnother, another = 'Crear otra' }: ReceiptProps) {
  const detail = useQuery(invoiceDetailQuery(docNo));

  if (detail.data)
    return <Registered detail={detail.data} onAnother={onAnother} another={another} />;
  if (detail.isError) {
    return (
      <>
        <PageTitle title={`Factura ${docNo}`} />
        <FailedCard
          title="Está registrada, pero no hemos podido cargar su recibo"
          error={detail.error}
          onRetry={() => detail.refetch()}
        />
      </>
    );
  }
  return <ReceiptSkeleton docNo={docNo} />;
}

function Registered({
  detail,
  onAnother,
  another,
}: { detail: InvoiceDetail } & Omit<ReceiptProps, 'docNo'>) {
  const { fila, huella, eslabon } = detail;
  const isAbono = fila.Tipo.startsWith('R');
  const title = `${isAbono ? 'Abono' : 'Factura'} ${fila.DocNo}`;
  const heading = usePageTitle(title);
  const { data: logo = '' } = useQuery(companyPictureQuery);
  useShortcuts({ enter: () => onAnother(fila.Tipo) });
  return (
    <div className={classes.page}>
      <section className={`hu-card ${classes.card}`} aria-labelledby="recibo">
        <div className={classes.head}>
          <div className={classes.words}>
            <p className={classes.fact}>
              <IconCircleCheck size={18} stroke={1.8} aria-hidden="true" />
              Registrada{eslabon !== undefined && `, eslabón ${entero(eslabon)} de la cadena`}
            </p>
            <h1 id="recibo" ref={heading} tabIndex={-1} className={classes.title}>
              {title}
            </h1>
            {fila.Name && <p className={classes.client}>{fila.Name}</p>}
            <p className={classes.amount}>
              {importe(fila.AmountIncludingVat)}
              <span className={classes.euro}>{'\u00a0€'}</span>
            </p>
          </div>
          {huella && <Sello huella={huella} size={148} className={classes.sello ?? ''} />}
        </div>
        <dl className={classes.facts}>
          <dt>Estado en la AEAT</dt>
          <dd>
            <div role="status">
              <AeatState detail={detail} />
            </div>
          </dd>
          <MailFact detail={detail} />
          {huella && (
            <>
              <dt>Huella</dt>
              <dd>
                <HuellaLine huella={huella} />
              </dd>
            </>
          )}
        </dl>
        <div className={classes.actions}>
          <DownloadPdf docNo={fila.DocNo} />
          <SendByMail detail={detail} />
          <ShareButton docNo={fila.DocNo} title={title} />
          <PrintButton />
          <Hint label="Ctrl + Intro">
            <Button
              className={classes.another ?? ''}
              leftSection={<IconPlus size={16} stroke={1.8} aria-hidden="true" />}
              aria-keyshortcuts="Control+Enter"
              onClick={() => onAnother(fila.Tipo)}
            >
              {another}
            </Button>
          </Hint>
        </div>
      </section>
      <div className={classes.printed}>
        <DetailPaper detail={detail} logo={logo} />
      </div>
      <p className={classes.after}>
        {fila.Status === 'En espera'
          ? 'Puedes cerrar esta página: el envío sigue solo y lo verás en '
          : 'Su recorrido y todo lo demás, en '}
        <Link to={invoicePath(fila.DocNo)}>la ficha de la factura</Link>.{' '}
        <Link to={PATHS.panel}>Ir a Inicio</Link>
      </p>
    </div>
  );
}

function SendByMail({ detail: { fila, correoCliente } }: { readonly detail: InvoiceDetail }) {
  const [isSending, setSending] = useState(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconMail size={16} stroke={1.8} aria-hidden="true" />}
        onClick={() => setSending(true)}
      >
        Enviar por correo
      </Button>
      {isSending && (
        <SendDialog docNo={fila.DocNo} email={correoCliente} onClose={() => setSending(false)} />
      )}
    </>
  );
}

/** The AEAT's answer, or when the invoice will be sent. */
function AeatState({ detail: { fila } }: { detail: InvoiceDetail }) {
  const isWaiting = fila.Status === 'En espera';
  const { data: connection } = useQuery({ ...conexionQuery, enabled: isWaiting });
  const note = useWaitingNote(isWaiting ? connection : undefined, undefined);
  return (
    <span className={classes.state}>
      <StatusChip status={fila.Status} />
      {/* The countdown is for the eye: read out each second it would never end. */}
      {isWaiting && note && <span aria-hidden="true">{note}</span>}
      {isWaiting && connection?.estado === 'parado' && (
        <Link to={PATHS.pending}>Ver la rechazada</Link>
      )}
      {!isWaiting && fila.ErrorMessage && (
        <>
          <InvoiceError message={fila.ErrorMessage} />
          <Link to={guidePath(fila.DocNo)}>¿Qué hago?</Link>
        </>
      )}
    </span>
  );
}

/** The state of the e-mail with the PDF, if there is one. */
function MailFact({ detail }: { detail: InvoiceDetail }) {
  const mail = detail.historia.findLast(({ tipo }) => tipo === 'correo');
  if (!mail) return null;
  return (
    <>
      <dt>Correo</dt>
      <dd>{mailWords(mail)}</dd>
    </>
  );
}

function mailWords({ tono, titulo, detalle = '' }: TimelineStep): string {
  if (tono === 'azul') return `Saldrá a ${detalle}`;
  return tono === 'rojo' ? `${titulo}: ${detalle}` : `Enviado a ${detalle}`;
}

function HuellaLine({ huella }: { huella: string }) {
  const groups = huellaEnGrupos(huella);
  return (
    <span className={classes.huella}>
      <code title={huella}>{[...groups.slice(0, 2), '…', ...groups.slice(-1)].join(' ')}</code>
      <CopyButton value={huella}>
        {({ copied, copy }) => (
          <Button
            variant="subtle"
            color="gray"
            size="sm"
            aria-label="Copiar la huella"
            onClick={copy}
          >
            {copied ? <IconCheck size={16} stroke={1.7} /> : <IconCopy size={16} stroke={1.7} />}
          </Button>
        )}
      </CopyButton>
    </span>
  );
}

/** «Descargar PDF», wherever a single invoice is shown. */
export function DownloadPdf({ docNo }: { readonly docNo: string }) {
  const errors = useErrorDialog();
  const download = useMutation({
    mutationFn: () => downloadInvoice(docNo),
    onError: (error) => errors.show(errorMessages(error)),
  });
  return (
    <Button
      variant="default"
      loading={download.isPending}
      leftSection={<IconDownload size={16} stroke={1.8} aria-hidden="true" />}
      onClick={() => download.mutate()}
    >
      Descargar PDF
    </Button>
  );
}

function ReceiptSkeleton({ docNo }: { docNo: string }) {
  const heading = usePageTitle(`Factura ${docNo}`);
  return (
    <div className={classes.page} aria-busy="true">
      <div className={`hu-card ${classes.card}`}>
        <div className={classes.head}>
          <div className={classes.words}>
            <p className={classes.fact}>
              <IconCircleCheck size={18} stroke={1.8} aria-hidden="true" />
              Registrada
            </p>
            <h1 ref={heading} tabIndex={-1} className={classes.title}>
              Factura {docNo}
            </h1>
            <p className={classes.client}>
              <SkeletonBar width={220} />
            </p>
            <p className={classes.amount}>
              <SkeletonBar width={140} />
            </p>
          </div>
          <Sello size={148} className={classes.sello ?? ''} />
        </div>
      </div>
    </div>
  );
}
