import { Radio, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useParams } from 'react-router';
import type { InvoiceDetail } from '../../../../contract/invoices.ts';
import {
  askedOf,
  firstAnswers,
  type GuideAnswers,
  type GuidedInvoice,
  type GuideQuestion,
  guide,
} from '../../../../domain/correction-guide.ts';
import { isoDateIn, zonaOf } from '../../../../domain/dates.ts';
import { type NombreImpuesto, nombreImpuesto } from '../../../../domain/impuestos.ts';
import type { IssuedInvoice } from '../../../../domain/invoice.ts';
import { numberToCents, parseDecimal } from '../../../../domain/money.ts';
import { calledInvoice, isDraftName } from '../../../../domain/series.ts';
import { euros } from '../../../lib/format.ts';
import { invoicePath } from '../../../lib/paths.ts';
import { datosEmpresaQuery, invoiceDetailQuery } from '../../../lib/queries.ts';
import { BackLink } from '../../../ui/back-link.tsx';
import { FailedCard } from '../../../ui/failed-state.tsx';
import { ToHistory, ToPending } from '../../../ui/invoices/to-history.tsx';
import { Notice, PageTitle, usePageTitle } from '../../../ui/page-title.tsx';
import { SkeletonText } from '../../../ui/skeleton-rows.tsx';
import { Advice } from './advice.tsx';
import classes from './guide.module.css';
import { mailedTo } from './mailed-to.ts';

/** «¿Qué hago?»: from what is wrong with an invoice to what to do about it. */
export function Component() {
  const { DocNo = '' } = useParams();
  const detail = useQuery(invoiceDetailQuery(DocNo));
  if (detail.data) return <Guide key={DocNo} detail={detail.data} />;
  return (
    <div className={classes.page}>
      <PageTitle title={titleOf(DocNo)} />
      {detail.isError ? (
        <FailedCard
          title={`No hemos podido abrir ${calledInvoice(DocNo)}`}
          error={detail.error}
          onRetry={() => detail.refetch()}
          otherwise={isDraftName(DocNo) ? <ToPending /> : <ToHistory />}
        />
      ) : (
        <div className={`hu-card ${classes.card}`} aria-busy="true">
          <div className={classes.question}>
            <SkeletonText lines={8} />
          </div>
        </div>
      )}
    </div>
  );
}

const titleOf = (docNo: string) => `¿Qué hago con ${calledInvoice(docNo)}?`;

function Guide({ detail }: { readonly detail: InvoiceDetail }) {
  const { fila, borrador, rechazo, cobros } = detail;
  const { data: company } = useQuery(datosEmpresaQuery);
  const today = isoDateIn(
    new Date(),
    zonaOf(company?.postCode ?? '', company?.countryCode ?? 'ES'),
  );
  const heading = usePageTitle(titleOf(fila.DocNo));
  const [total, setTotal] = useState('');
  const invoice: GuidedInvoice = {
    status: fila.Status,
    tipo: fila.Tipo,
    totalCents: numberToCents(fila.AmountIncludingVat),
    impuesto: impuestoOf(detail),
    cuotaCents: numberToCents(fila.VatAmount),
    fechaOperacion: borrador.fechaOperacion || fila.PostingDate,
    enviadaA: mailedTo(detail),
    rechazo,
    dependientes: detail,
  };
  const [answers, setAnswers] = useState(() => firstAnswers(invoice));
  const known = { ...answers, nuevoTotalCents: centsOf(total) };
  const questions = askedOf(invoice, known, today);
  const next = guide(invoice, known, today);
  const asked = useRef<HTMLDivElement>(null);
  const said = useRef<HTMLDivElement>(null);
  const showLast = () => {
    const last = said.current?.firstElementChild ?? asked.current?.lastElementChild;
    last?.scrollIntoView({ block: 'nearest' });
  };
  const step = [...questions.map(({ name }) => name), next.kind].join(' ');
  const seen = useRef(step);
  useEffect(() => {
    if (step === seen.current) return;
    seen.current = step;
    // What an answer opens may be below what is seen. The field that is being typed in stays where it is.
    if (!document.activeElement?.matches('input[inputmode]')) showLast();
  });

  return (
    <div className={classes.page}>
      <BackLink to={invoicePath(fila.DocNo)}>Volver a la factura</BackLink>
      <h1 ref={heading} tabIndex={-1} className={classes.title}>
        {titleOf(fila.DocNo)}
      </h1>
      <p className={classes.sub}>
        {[fila.Name, euros(fila.AmountIncludingVat)].filter(Boolean).join(' · ')}
      </p>
      <Notice />
      {questions.length > 0 && (
        <div ref={asked} className={`hu-card ${classes.card}`}>
          {questions.map((question) => {
            const { name } = question;
            return name === 'nuevoTotal' ? (
              <Amount
                key={name}
                question={question}
                value={total}
                onChange={setTotal}
                // What is being pressed stays under the finger.
                onLeave={() => !said.current?.matches(':hover') && showLast()}
              />
            ) : (
              <Choice
                key={name}
                question={question}
                value={answers[name] ?? ''}
                onChange={(value) => setAnswers(answered(answers, name, value))}
              />
            );
          })}
        </div>
      )}
      <div ref={said} role="status">
        {next.kind !== 'pregunta' && (
          <Advice advice={next} docNo={fila.DocNo} rechazo={rechazo} cobros={cobros} />
        )}
      </div>
    </div>
  );
}

/** The tax of its quota or, without one, that of its first line. */
function impuestoOf({ emitida }: InvoiceDetail): NombreImpuesto {
  const { desglose = [] } = (emitida ?? {}) as Partial<IssuedInvoice>;
  const taxed = desglose.find(({ quota }) => quota !== '0.00') ?? desglose[0];
  return nombreImpuesto(taxed?.Impuesto);
}

/** A changed answer discards the answers to questions that followed from the old one. */
function answered(
  answers: GuideAnswers,
  name: Exclude<GuideQuestion['name'], 'nuevoTotal'>,
  value: string,
): GuideAnswers {
  if (name !== 'problema') return { ...answers, [name]: value };
  const { concurso: _, ...kept } = answers;
  return { ...kept, [name]: value } as GuideAnswers;
}

interface QuestionProps {
  readonly question: GuideQuestion;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Choice({ question, value, onChange }: QuestionProps) {
  return (
    <Radio.Group
      className={classes.question ?? ''}
      label={question.titulo}
      // Below the question, because below the answers it would seem to describe the last one.
      inputWrapperOrder={['label', 'description', 'input']}
      {...(question.ayuda && { description: question.ayuda })}
      value={value}
      onChange={onChange}
    >
      <div className={classes.options} data-short={question.opciones.length === 2 || undefined}>
        {question.opciones.map((option) => (
          <Radio
            key={option.value}
            className={classes.option ?? ''}
            value={option.value}
            label={option.label}
            {...(option.ayuda && { description: option.ayuda })}
          />
        ))}
      </div>
    </Radio.Group>
  );
}

interface AmountProps extends QuestionProps {
  readonly onLeave: () => void;
}

function Amount({ question, value, onChange, onLeave }: AmountProps) {
  const isWrong = value.trim() !== '' && centsOf(value) === null;
  return (
    <TextInput
      className={classes.question ?? ''}
      classNames={{ wrapper: classes.amount ?? '' }}
      label={question.titulo}
      description={question.ayuda}
      inputMode="decimal"
      rightSection="€"
      value={value}
      error={isWrong && 'Escribe un importe, como 1.234,50.'}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={onLeave}
    />
  );
}

function centsOf(text: string): bigint | null {
  return text.trim() === '' ? null : parseDecimal(text.trim(), 2);
}
