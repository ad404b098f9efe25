import { Button } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleX,
  IconClock,
  IconHistory,
  IconLock,
} from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import type { InvoiceStatus } from '../../../../contract/invoices.ts';
import { refusalWords } from '../../../../domain/correction-guide.ts';
import type { Rechazo } from '../../../../domain/invoice.ts';
import { onceCorrecting } from '../../../../domain/once-correcting.ts';
import { invoicePath } from '../../../lib/paths.ts';
import { Banner } from '../../../ui/banner.tsx';
import { toTitle } from '../../../ui/focus-after.ts';
import { InvoiceError } from '../../../ui/invoices/invoice-cells.tsx';
import { GiveUpButton, WithoutEffectButton } from '../guide/leave-buttons.tsx';
import classes from './form-banners.module.css';

export interface StatusBannerProps {
  readonly docNo: string;
  readonly status: InvoiceStatus;
  readonly errorMessage: string | undefined;
  /** For a rejected invoice, what was rejected. */
  readonly rechazo: Rechazo | undefined;
  /** «Corregir» has been clicked. */
  readonly isCorrecting: boolean;
  readonly onCorrect: () => void;
}

/** Explains why an invoice of the pending list opens in this state. */
export function StatusBanner(props: StatusBannerProps) {
  const { docNo, status, errorMessage, rechazo, isCorrecting, onCorrect } = props;
  const navigate = useNavigate();
  const { titulo, queTiene } = refusalWords(rechazo);
  if (isCorrecting) {
    return (
      <Banner
        tone={status === 'Rechazado' ? 'red' : 'amber'}
        icon={ICON[status]}
        title="Corrige lo que haga falta y reenvíala."
      >
        <Reason message={errorMessage && onceCorrecting(errorMessage)} />
        <span className={classes.rest}>
          El número, la fecha y el tipo no se pueden corregir: para cambiarlos hay que anularla y
          emitir otra.
        </span>
      </Banner>
    );
  }
  switch (status) {
    case 'Rechazado':
      return (
        <Banner
          tone="red"
          icon={IconCircleX}
          title={`${titulo}.`}
          action={
            <span className={classes.buttons}>
              <WithoutEffectButton
                docNo={docNo}
                rechazo={rechazo}
                onDone={() => navigate(invoicePath(docNo))}
              />
              <Button
                ref={toTitle}
                {...(rechazo?.enAeat === 'ajena' ? { variant: 'default' } : { color: 'red' })}
                onClick={onCorrect}
              >
                Corregir
              </Button>
              <GiveUpButton
                docNo={docNo}
                rechazo={rechazo}
                onDone={() => navigate(invoicePath(docNo))}
              />
            </span>
          }
        >
          {queTiene} <Reason message={errorMessage} />
        </Banner>
      );
    case 'Aceptado con errores':
      return (
        <Banner
          tone="amber"
          icon={IconAlertTriangle}
          title="La AEAT la ha aceptado con errores."
          action={
            <Button ref={toTitle} variant="default" onClick={onCorrect}>
              Corregir
            </Button>
          }
        >
          <Reason message={errorMessage} />
        </Banner>
      );
    case 'En espera':
      return (
        <Banner tone="blue" icon={IconClock} title="Está registrada y espera a la AEAT.">
          No se puede cambiar: si algo está mal, rectifícala con otra factura.
        </Banner>
      );
    case 'Registrada':
    case 'Anulada':
      return (
        <Banner tone="green" icon={IconLock} title={`Está ${status.toLowerCase()}.`}>
          No se puede cambiar: si algo está mal, rectifícala con otra factura.
        </Banner>
      );
    case 'Borrador':
      return null;
  }
}

/** The AEAT's message, in the style of its banner. */
function Reason({ message }: { message: string | undefined }) {
  if (!message) return null;
  return (
    <span className={classes.reason}>
      <InvoiceError message={message} />
    </span>
  );
}

const ICON: Record<InvoiceStatus, typeof IconClock> = {
  Borrador: IconHistory,
  'En espera': IconClock,
  Rechazado: IconCircleX,
  'Aceptado con errores': IconAlertTriangle,
  Registrada: IconLock,
  Anulada: IconLock,
};

/** Two people, or two tabs, are editing one draft: says so, and nothing is overwritten until somebody chooses. */
export function ConflictBanner({
  onTakeTheirs,
  onKeepMine,
}: {
  readonly onTakeTheirs: () => void;
  readonly onKeepMine: () => void;
}) {
  return (
    <Banner
      tone="amber"
      icon={IconAlertTriangle}
      role="alert"
      title="Este borrador ha cambiado en otro sitio."
      action={
        <span className={classes.buttons}>
          <Button ref={toTitle} variant="default" size="sm" onClick={onTakeTheirs}>
            Ver lo guardado
          </Button>
          <Button ref={toTitle} variant="default" size="sm" onClick={onKeepMine}>
            Guardar lo mío
          </Button>
        </span>
      }
    >
      No hemos guardado lo que ves aquí, para no pisar ese cambio.
    </Banner>
  );
}

/** It may have been registered: nothing else can be done with it until that is known. */
export function UnansweredBanner({
  onRetry,
  onStartOver,
}: {
  readonly onRetry: () => void;
  readonly onStartOver: (() => void) | undefined;
}) {
  return (
    <Banner
      tone="amber"
      icon={IconAlertTriangle}
      role="alert"
      title="No sabemos si esta factura se ha registrado."
      action={
        <span className={classes.buttons}>
          {onStartOver && (
            <Button variant="default" size="sm" onClick={onStartOver}>
              Empezar otra
            </Button>
          )}
          <Button data-main-action variant="default" size="sm" onClick={onRetry}>
            Volver a intentarlo
          </Button>
        </span>
      }
    >
      No ha llegado la respuesta. Hasta saberlo no se puede cambiar; vuelve a intentarlo: no se
      registrará dos veces.
    </Banner>
  );
}

/** Its draft was registered or deleted meanwhile. */
export function GoneBanner({ onKeepAsNew }: { readonly onKeepAsNew: () => void }) {
  return (
    <Banner
      tone="amber"
      icon={IconAlertTriangle}
      role="alert"
      title="Este borrador ya no existe: se ha registrado o eliminado en otro sitio."
      action={
        <Button ref={toTitle} variant="default" size="sm" onClick={onKeepAsNew}>
          Guardar como nuevo
        </Button>
      }
    >
      Lo que ves aquí no está guardado.
    </Banner>
  );
}

/** What was left half typed here has been restored. */
export function RestoredBanner({
  onStartOver,
  onDismiss,
}: {
  readonly onStartOver: (() => void) | undefined;
  readonly onDismiss: () => void;
}) {
  return (
    <Banner
      tone="blue"
      icon={IconHistory}
      role="status"
      title="Hemos recuperado lo que estabas escribiendo."
      action={
        <span className={classes.buttons}>
          {onStartOver && (
            <Button ref={toTitle} variant="default" size="sm" onClick={onStartOver}>
              Empezar otra
            </Button>
          )}
          <Button ref={toTitle} variant="default" size="sm" onClick={onDismiss}>
            Seguir
          </Button>
        </span>
      }
    />
  );
}
