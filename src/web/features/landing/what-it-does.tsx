import {
  IconArrowLeft,
  IconArrowRight,
  IconCheck,
  IconFingerprint,
  IconMail,
  IconSend,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { InvoiceStatus } from '../../../contract/invoices.ts';
import { StatusChip } from '../../ui/status-chip.tsx';
import shared from './landing.module.css';
import classes from './what-it-does.module.css';

export function WhatItDoes() {
  return (
    <section id="que-hace" className={`${shared.container} ${shared.section}`}>
      <h2 className={shared.h2}>Lo que necesitas para facturar bien.</h2>
      <div className={classes.grid}>
        <Card
          title="Cumples con VERI*FACTU"
          text="Cada factura lleva su código QR, su huella y su registro en la AEAT, en el orden en que se emiten. Si algo falla, te decimos qué, por qué y cómo se arregla."
        >
          <ol className={classes.story}>
            <Step Icon={IconFingerprint} time="10:32:07">
              <strong>Huella calculada</strong> y unida a la 00040/LO
            </Step>
            <Step Icon={IconSend} time="10:32:08">
              <strong>Registro enviado</strong> a la AEAT
            </Step>
            <Step Icon={IconCheck} time="10:32:09">
              <strong>Aceptado</strong>, con código seguro de verificación
            </Step>
            <Step Icon={IconMail} time="10:32:10">
              <strong>PDF enviado</strong> a tu cliente
            </Step>
          </ol>
        </Card>
        <Card
          title="Facturas sin hacer cuentas"
          text="Eliges cliente, escribes las líneas y los totales salen solos. El número se asigna al registrar, sin huecos."
        >
          <ul className={classes.rows}>
            <li>
              <span>Reparto diario, semana 47</span>
              <span className="hu-figures">5 × 12,00</span>
              <span className="hu-figures">60,00 €</span>
            </li>
            <li>
              <span>Alquiler de vitrina</span>
              <span className="hu-figures">1 × 45,00</span>
              <span className="hu-figures">45,00 €</span>
            </li>
            <li className="hu-muted">
              <span>IVA 21 %</span>
              <span className="hu-figures">22,05 €</span>
            </li>
            <li>
              <strong>Total factura</strong>
              <strong className="hu-figures">127,05 €</strong>
            </li>
          </ul>
        </Card>
        <Card
          title="Clientes y productos"
          text="Escribe tres letras y aparece. Los que más usas, primero."
        >
          <div aria-hidden="true">
            <span className={classes.field}>
              mir
              <i />
            </span>
            <div className={classes.menu}>
              <p data-active>
                <strong>Mir</strong>ador del Moncayo, Hotel
                <small>A50163302</small>
              </p>
              <p>
                <strong>Mir</strong>ambel Catering
                <small>B44120985</small>
              </p>
            </div>
          </div>
        </Card>
        <Card
          title="Historial y pendientes"
          text="Lo registrado, a mano. Lo que espera algo de ti, aparte."
        >
          <ul className={classes.rows}>
            {STATES.map(([name, amount, status]) => (
              <li key={name}>
                <span>{name}</span>
                <span className="hu-figures">{amount}</span>
                <span className={classes.end}>
                  <StatusChip status={status} />
                </span>
              </li>
            ))}
          </ul>
        </Card>
        <Card
          title="Business Central"
          text="Clientes, productos y facturas llegan solos; la huella y el CSV vuelven a su documento. Una venta se declara una sola vez."
        >
          <ul className={classes.rows}>
            {PAIRS.map(([ours, theirs, Arrow]) => (
              <li key={ours}>
                <span>{ours}</span>
                <Arrow className={classes.arrows ?? ''} size={18} stroke={1.7} aria-hidden="true" />
                <span className={`hu-muted ${classes.end}`} lang="en">
                  {theirs}
                </span>
              </li>
            ))}
          </ul>
        </Card>
      </div>
    </section>
  );
}

const STATES: readonly (readonly [string, string, InvoiceStatus])[] = [
  ['00041/LO', '556,90 €', 'Registrada'],
  ['00042/LO', '219,45 €', 'En espera'],
  ['00043/LO', '84,70 €', 'Rechazado'],
  ['B-7', '1.021,10 €', 'Borrador'],
];

const PAIRS = [
  ['Clientes', 'Customers', IconArrowLeft],
  ['Productos', 'Items', IconArrowLeft],
  ['Facturas y abonos', 'Posted sales', IconArrowLeft],
  ['Huella, CSV y QR', 'Attachments', IconArrowRight],
] as const;

interface CardProps {
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}

function Card({ title, text, children }: CardProps) {
  return (
    <article className={`hu-card ${classes.card}`}>
      <div className={classes.words}>
        <h3 className={shared.cardTitle}>{title}</h3>
        <p className={shared.cardText}>{text}</p>
      </div>
      <div className={classes.scene}>{children}</div>
    </article>
  );
}

interface StepProps {
  readonly Icon: typeof IconCheck;
  readonly time: string;
  readonly children: ReactNode;
}

function Step({ Icon, time, children }: StepProps) {
  return (
    <li>
      <span className={classes.bead}>
        <Icon size={16} stroke={1.8} aria-hidden="true" />
      </span>
      <span>{children}</span>
      <span className="hu-muted hu-figures">{time}</span>
    </li>
  );
}
