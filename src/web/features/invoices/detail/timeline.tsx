import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconBan,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconDownload,
  IconMail,
  IconPencil,
  IconSend,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { TimelineStep } from '../../../../contract/invoices.ts';
import { fechaHora } from '../../../lib/format.ts';
import { InvoiceError } from '../../../ui/invoices/invoice-cells.tsx';
import { Mark } from '../../../ui/logo.tsx';
import classes from './timeline.module.css';

/** The story of an invoice, oldest first. Only the AEAT's answer is coloured. */
export function Timeline({ steps }: { readonly steps: readonly TimelineStep[] }) {
  return (
    <ol className={classes.steps}>
      {steps.map((step) => (
        <li key={`${step.fecha} ${step.titulo}`} className={classes.step}>
          <span className={classes.icon} data-tone={toneOf(step)}>
            <StepIcon step={step} />
          </span>
          <div className={classes.words}>
            <p className={classes.title}>{step.titulo}</p>
            <p className={classes.when}>
              <time dateTime={step.fecha}>{fechaHora(step.fecha)}</time>
            </p>
            {/* The huella has a card of its own. */}
            {step.detalle && step.tipo !== 'registrada' && <Detail text={step.detalle} />}
          </div>
        </li>
      ))}
    </ol>
  );
}

function toneOf({ tipo, tono }: TimelineStep): TimelineStep['tono'] {
  return tipo === 'respuesta' || tono === 'rojo' ? tono : 'neutro';
}

function StepIcon({ step }: { step: TimelineStep }) {
  if (step.tipo === 'registrada') return <Mark size={18} />;
  const Icon = step.tipo === 'respuesta' ? ANSWER[step.tono] : ICON[step.tipo];
  return <Icon size={18} stroke={1.7} aria-hidden="true" />;
}

type IconType = ComponentType<{ size?: number; stroke?: number; 'aria-hidden'?: 'true' }>;

const ICON: Record<Exclude<TimelineStep['tipo'], 'registrada' | 'respuesta'>, IconType> = {
  borrador: IconPencil,
  enviada: IconSend,
  correo: IconMail,
  anulada: IconBan,
  descarga: IconDownload,
  dejada: IconArrowBackUp,
};
const ANSWER: Record<TimelineStep['tono'], IconType> = {
  verde: IconCircleCheck,
  ambar: IconAlertTriangle,
  rojo: IconCircleX,
  azul: IconClock,
  neutro: IconClock,
};

/** A CSV is copied character by character, so it is shown in a monospaced font. */
function Detail({ text }: { text: string }) {
  const [, word, code] = /^(CSV) ([0-9A-Z-]+)$/.exec(text) ?? [];
  if (!word) {
    return (
      <p className={classes.detail}>
        <InvoiceError message={text} />
      </p>
    );
  }
  return (
    <p className={classes.detail}>
      {word} <code className={classes.code}>{code}</code>
    </p>
  );
}
