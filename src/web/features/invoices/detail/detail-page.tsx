import { ActionIcon, Button, CopyButton, Tooltip } from '@mantine/core';
import {
  IconCheck,
  IconCopy,
  IconCopyPlus,
  IconDownload,
  IconMail,
  IconPencil,
  IconReceiptRefund,
  IconReplace,
} from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode, useContext, useState } from 'react';
import { Link, useParams } from 'react-router';
import type { InvoiceDetail, InvoiceStatus } from '../../../../contract/invoices.ts';
import { firstAnnul, refusalWords } from '../../../../domain/correction-guide.ts';
import { type IssuedInvoice, numbersNamed } from '../../../../domain/invoice.ts';
import { calledInvoice, isDraftName } from '../../../../domain/series.ts';
import { euros, huellaEnGrupos } from '../../../lib/format.ts';
import { errorMessages } from '../../../lib/http.ts';
import {
  EXCHANGED,
  editPath,
  guidePath,
  invoicePath,
  listPath,
  PATHS,
} from '../../../lib/paths.ts';
import { companyPictureQuery, conexionQuery, invoiceDetailQuery } from '../../../lib/queries.ts';
import { BackLink } from '../../../ui/back-link.tsx';
import { Tag } from '../../../ui/chip.tsx';
import { useErrorDialog } from '../../../ui/error-dialog.tsx';
import { FailedCard } from '../../../ui/failed-state.tsx';
import { canBeExchanged } from '../../../ui/invoices/exchangeable.ts';
import { InvoiceError } from '../../../ui/invoices/invoice-cells.tsx';
import { ToHistory, ToPending } from '../../../ui/invoices/to-history.tsx';
import { useWaitingNote } from '../../../ui/invoices/use-waiting-note.ts';
import { Notice, PageTitle, PanelClosed, usePageTitle } from '../../../ui/page-title.tsx';
import { Sello } from '../../../ui/sello.tsx';
import { StatusChip } from '../../../ui/status-chip.tsx';
import { CancelDialog } from '../guide/cancel-dialog.tsx';
import { GiveUpButton, WithoutEffectButton } from '../guide/leave-buttons.tsx';
import { DownloadPdf } from '../receipt/receipt.tsx';
import { downloadOriginal } from '../upload/api.ts';
import { CobrosCard } from './cobros-card.tsx';
import classes from './detail-page.module.css';
import { DetailPaper } from './detail-paper.tsx';
import { DetailSkeleton } from './detail-skeleton.tsx';
import { ElectronicCard } from './electronic-card.tsx';
import { PrintButton } from './print-button.tsx';
import { SendDialog } from './send-dialog.tsx';
import { ShareButton } from './share-button.tsx';
import { Timeline } from './timeline.tsx';

/** One invoice: the document as issued, and its story beside it. */
export function Component() {
  const { DocNo = '' } = useParams();
  const detail = useQuery(invoiceDetailQuery(DocNo));
  if (detail.data) return <Detail key={DocNo} detail={detail.data} />;
  if (detail.isError) {
    const isDraft = isDraftName(DocNo);
    return (
      <>
        <BackToList status={isDraft ? 'Borrador' : 'Registrada'} />
        <PageTitle title={titleOf(DocNo)} />
        <FailedCard
          title={`No hemos podido abrir ${calledInvoice(DocNo)}`}
          error={detail.error}
          onRetry={() => detail.refetch()}
          otherwise={isDraft ? <ToPending /> : <ToHistory />}
        />
      </>
    );
  }
  return <DetailSkeleton title={titleOf(DocNo)} />;
}

function lastMail(detail: InvoiceDetail | undefined) {
  return detail?.historia.findLast(({ tipo }) => tipo === 'correo');
}

function Detail({ detail }: { detail: InvoiceDetail }) {
  const { fila, huella, historia } = detail;
  const { data: logo = '' } = useQuery(companyPictureQuery);
  const title = titleOf(fila.DocNo, { isAbono: fila.Tipo.startsWith('R') });
  const heading = usePageTitle(title);
  return (
    <>
      <BackToList status={fila.Status} />
      <div className={classes.head}>
        <div>
          <div className={classes.titleRow}>
            <h1 ref={heading} tabIndex={-1} className={classes.title}>
              {title}
            </h1>
            <StatusChip status={fila.Status} />
            {detail.canjeadaPor && <Tag>Canjeada</Tag>}
            <Waiting status={fila.Status} />
          </div>
          <p className={classes.sub}>
            {[fila.Name, euros(fila.AmountIncludingVat)].filter(Boolean).join(' · ')}
          </p>
        </div>
        <div className={classes.actions}>
          <Actions detail={detail} />
        </div>
      </div>
      <Notice />
      <div className={classes.columns}>
        <div className={classes.desk} data-paper>
          <DetailPaper detail={detail} logo={logo} />
        </div>
        <div className={classes.side}>
          <Refusal detail={detail} />
          <Undelivered detail={detail} />
          <CobrosCard detail={detail} />
          <Card title="Recorrido" className={classes.story}>
            <Timeline steps={historia} />
          </Card>
          {huella && <HuellaCard huella={huella} />}
          <ElectronicCard detail={detail} />
          <SomethingWrong detail={detail} />
          <Family detail={detail} />
          {detail.original && <OriginalCard docNo={fila.DocNo} name={detail.original} />}
        </div>
      </div>
    </>
  );
}

/** The invoices it is based on, those that rectify it, and the F3 for which it was exchanged. */
function Family({ detail }: { readonly detail: InvoiceDetail }) {
  const { fila, borrador, canjeadaPor, rectificadaPor = [] } = detail;
  const externals = externalsOf(detail);
  const numbers = numbersNamed(borrador.invoiceToRectify);
  if (numbers.length === 0 && rectificadaPor.length === 0 && !canjeadaPor) return null;
  return (
    <Card title="Familia">
      {numbers.length > 0 && (
        <p>
          {fila.Tipo.startsWith('R') ? 'Rectifica ' : 'Sustituye a '}
          <Numbers numbers={numbers} externals={externals} />.
        </p>
      )}
      {rectificadaPor.length > 0 && (
        <p>
          {rectificadaPor.length === 1 ? 'La rectifica ' : 'La rectifican '}
          <Numbers numbers={rectificadaPor} />.
        </p>
      )}
      {canjeadaPor && (
        <p>
          Se canjeó por la factura completa <Link to={invoicePath(canjeadaPor)}>{canjeadaPor}</Link>
          .
        </p>
      )}
    </Card>
  );
}

/** «la 00001/26R y la 00002/26R», each linked to its page. */
function Numbers({
  numbers,
  externals = new Set(),
}: {
  readonly numbers: readonly string[];
  readonly externals?: ReadonlySet<string>;
}) {
  return numbers.map((number, index) => (
    <Fragment key={number}>
      {index > 0 && (index === numbers.length - 1 ? ' y ' : ', ')}
      la{' '}
      {externals.has(number) ? (
        <>{number} (externa)</>
      ) : (
        <Link to={invoicePath(number)}>{number}</Link>
      )}
    </Fragment>
  ));
}

/** Invoices of other programs, which have no page here. Not known yet for a draft. */
function externalsOf({ emitida }: InvoiceDetail): ReadonlySet<string> {
  const { rectifies = [], sustituye = [] } = (emitida ?? {}) as Partial<IssuedInvoice>;
  const named = [...rectifies, ...sustituye].filter(({ externa }) => externa);
  return new Set(named.map(({ numSerie }) => numSerie));
}

/** The uploaded file from which it was read. */
function OriginalCard({ docNo, name }: { readonly docNo: string; readonly name: string }) {
  const errors = useErrorDialog();
  const download = useMutation({
    mutationFn: () => downloadOriginal(docNo, name),
    onError: (error) => errors.show(errorMessages(error)),
  });
  return (
    <Card title="Archivo original">
      <p className={classes.anywhere}>Se leyó de «{name}», que se guarda con la factura.</p>
      <div className={classes.wayOut}>
        <Button
          variant="default"
          loading={download.isPending}
          leftSection={<IconDownload size={16} stroke={1.8} aria-hidden="true" />}
          onClick={() => download.mutate()}
        >
          Descargar original
        </Button>
      </div>
    </Card>
  );
}

function BackToList({ status }: { status: InvoiceStatus }) {
  const list = listPath(status);
  return (
    <BackLink to={list}>
      {list === PATHS.history ? 'Historial de facturas' : 'Facturas pendientes'}
    </BackLink>
  );
}

/** When it will be sent, while it waits. */
function Waiting({ status }: { status: InvoiceStatus }) {
  const isWaiting = status === 'En espera';
  const { data: connection } = useQuery({ ...conexionQuery, enabled: isWaiting });
  const note = useWaitingNote(isWaiting ? connection : undefined, undefined);
  return isWaiting && note ? <span className={classes.waiting}>{note}</span> : null;
}

function Actions({ detail }: { detail: InvoiceDetail }) {
  const { fila } = detail;
  const [isSending, setIsSending] = useState(false);
  const isClosed = useContext(PanelClosed);
  const no = encodeURIComponent(fila.DocNo);
  if (fila.Status === 'Borrador') {
    return (
      <>
        <DownloadPdf docNo={fila.DocNo} />
        {!isClosed && (
          <Button
            component={Link}
            to={editPath(fila.DocNo)}
            leftSection={<IconPencil size={16} stroke={1.8} aria-hidden="true" />}
          >
            Editar
          </Button>
        )}
      </>
    );
  }
  return (
    <>
      {fila.Status === 'Registrada' && !isClosed && (
        <Button
          variant="default"
          component={Link}
          to={`${PATHS.create}?rectificar=${no}`}
          leftSection={<IconReceiptRefund size={16} stroke={1.8} aria-hidden="true" />}
        >
          Rectificar
        </Button>
      )}
      {isExchangeable(detail) && !isClosed && (
        <Button
          variant="default"
          component={Link}
          to={`${PATHS.create}?${EXCHANGED}=${together(detail)}`}
          leftSection={<IconReplace size={16} stroke={1.8} aria-hidden="true" />}
        >
          Factura completa
        </Button>
      )}
      {!isClosed && (
        <Button
          variant="default"
          component={Link}
          to={`${PATHS.create}?duplicar=${no}`}
          leftSection={<IconCopyPlus size={16} stroke={1.8} aria-hidden="true" />}
        >
          Duplicar
        </Button>
      )}
      {fila.Status !== 'Anulada' && (
        <Button
          variant="default"
          leftSection={<IconMail size={16} stroke={1.8} aria-hidden="true" />}
          onClick={() => setIsSending(true)}
        >
          Enviar por correo
        </Button>
      )}
      {fila.Status !== 'Anulada' && (
        <ShareButton
          docNo={fila.DocNo}
          title={titleOf(fila.DocNo, { isAbono: fila.Tipo.startsWith('R') })}
        />
      )}
      <PrintButton />
      <DownloadPdf docNo={fila.DocNo} />
      {isSending && (
        <SendDialog
          docNo={fila.DocNo}
          email={detail.correoCliente}
          onClose={() => setIsSending(false)}
        />
      )}
    </>
  );
}

/** The invoice and its rectificativas: they are exchanged together, for the balance. */
function together({ fila, rectificadaPor = [] }: InvoiceDetail): string {
  return encodeURIComponent([fila.DocNo, ...rectificadaPor].join(','));
}

/** Whether its client may still ask for a complete invoice instead (RD 1619/2012 art. 15.6). */
function isExchangeable({ fila, canjeadaPor }: InvoiceDetail): boolean {
  return fila.Tipo === 'F2' && canBeExchanged(fila) && canjeadaPor === undefined;
}

/** What the AEAT refused, and what to do: above the story, because it needs action. */
function Refusal({ detail: { fila, rechazo } }: { detail: InvoiceDetail }) {
  const isClosed = useContext(PanelClosed);
  if (fila.Status === 'Anulada' && fila.ErrorMessage) {
    // Not annulled by any registro of ours: it was lost in a restore, or its number belongs to another program.
    return (
      <section className={classes.refusal} data-tone="amber">
        <h2 className={classes.cardTitle}>Por qué está anulada</h2>
        <p>{fila.ErrorMessage}</p>
      </section>
    );
  }
  if (fila.Status !== 'Rechazado' && fila.Status !== 'Aceptado con errores') return null;
  const isRejected = fila.Status === 'Rechazado';
  const { titulo, queTiene } = refusalWords(rechazo);
  return (
    <section className={classes.refusal} data-tone={isRejected ? 'red' : 'amber'}>
      <h2 className={classes.cardTitle}>
        {isRejected ? titulo : 'La AEAT la ha aceptado con errores'}
      </h2>
      {isRejected && queTiene && <p>{queTiene}</p>}
      {fila.ErrorMessage && (
        <p>
          <InvoiceError message={fila.ErrorMessage} />
        </p>
      )}
      <div className={classes.wayOut}>
        <WithoutEffectButton docNo={fila.DocNo} rechazo={rechazo} />
        {!isClosed && (
          <Button
            {...(isRejected && rechazo?.enAeat !== 'ajena'
              ? { color: 'red' }
              : { variant: 'default' })}
            component={Link}
            to={editPath(fila.DocNo)}
          >
            Corregir
          </Button>
        )}
        <GiveUpButton docNo={fila.DocNo} rechazo={rechazo} />
        <Link to={guidePath(fila.DocNo)}>¿Qué hago?</Link>
      </div>
    </section>
  );
}

/** The last message to the client was not delivered: the reason in words, and a way to send it again. */
function Undelivered({ detail }: { detail: InvoiceDetail }) {
  const [isSending, setIsSending] = useState(false);
  const { fila, correoCliente } = detail;
  const mail = lastMail(detail);
  if (mail?.tono !== 'rojo' || fila.Status === 'Anulada') return null;
  return (
    <section className={classes.refusal} data-tone="amber">
      <h2 className={classes.cardTitle}>Tu cliente no la ha recibido</h2>
      <p className={classes.anywhere}>{mail.detalle}</p>
      <div className={classes.wayOut}>
        <Button variant="default" onClick={() => setIsSending(true)}>
          Reenviar
        </Button>
      </div>
      {isSending && (
        <SendDialog docNo={fila.DocNo} email={correoCliente} onClose={() => setIsSending(false)} />
      )}
    </section>
  );
}

/** A link to the guide and, for those who know what to do, a button to annul an invoice that no other depends on. */
function SomethingWrong({ detail }: { readonly detail: InvoiceDetail }) {
  const { fila, rechazo } = detail;
  const [isAsking, setIsAsking] = useState(false);
  const isClosed = useContext(PanelClosed);
  if (!CAN_BE_MENDED.includes(fila.Status)) return null;
  // A refused invoice may have to be annulled before those that wait behind it: the server decides.
  const first = fila.Status === 'Rechazado' ? null : firstAnnul(null, detail);
  const isNothingToAnnul = rechazo?.enAeat === 'ajena' || rechazo?.enAeat === 'anulacion';
  return (
    <Card title="¿Hay algo mal?">
      <p className="hu-muted">
        Lo registrado no se cambia, pero todo tiene arreglo. Responde unas preguntas y te decimos
        cuál.
      </p>
      {first && <p className="hu-muted">{first.porque}</p>}
      <div className={classes.wayOut}>
        <Button variant="default" component={Link} to={guidePath(fila.DocNo)}>
          ¿Qué hago?
        </Button>
        {!isClosed && !first && !isNothingToAnnul && (
          <Button variant="subtle" color="red" onClick={() => setIsAsking(true)}>
            Anular
          </Button>
        )}
      </div>
      {isAsking && (
        <CancelDialog
          docNo={fila.DocNo}
          cobros={detail.cobros}
          onClose={() => setIsAsking(false)}
          onDone={() => setIsAsking(false)}
        />
      )}
    </Card>
  );
}

const CAN_BE_MENDED: readonly InvoiceStatus[] = ['Registrada', 'Rechazado', 'Aceptado con errores'];

interface CardProps {
  readonly title: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

function Card({ title, className = '', children }: CardProps) {
  return (
    <section className={`hu-card ${classes.card} ${className}`}>
      <h2 className={classes.cardTitle}>{title}</h2>
      {children}
    </section>
  );
}

function HuellaCard({ huella }: { readonly huella: string }) {
  return (
    <section className={`hu-card ${classes.card}`}>
      <div className={classes.huella}>
        <Sello huella={huella} size={64} />
        <div className={classes.digits}>
          <div className={classes.huellaHead}>
            <h2 className={classes.cardTitle}>Huella</h2>
            <CopyButton value={huella}>
              {({ copied, copy }) => (
                <Tooltip label={copied ? 'Copiada' : 'Copiar la huella'}>
                  <ActionIcon aria-label="Copiar la huella" onClick={copy}>
                    {copied ? (
                      <IconCheck size={16} stroke={1.7} aria-hidden="true" />
                    ) : (
                      <IconCopy size={16} stroke={1.7} aria-hidden="true" />
                    )}
                  </ActionIcon>
                </Tooltip>
              )}
            </CopyButton>
          </div>
          <code className={classes.code}>{huellaEnGrupos(huella).join(' ')}</code>
        </div>
      </div>
    </section>
  );
}

/** Drafts are called `B-1`; an invoice has a number of a series. */
function titleOf(docNo: string, { isAbono = false } = {}): string {
  if (isDraftName(docNo)) return `Borrador ${docNo}`;
  return `${isAbono ? 'Abono' : 'Factura'} ${docNo}`;
}
