import { Checkbox, SegmentedControl, TextInput } from '@mantine/core';
import { shallowEqual, useId } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type Dispatch, memo, type ReactNode, useCallback } from 'react';
import type { Cliente } from '../../../../contract/parties.ts';
import type { LecturaAnswer } from '../../../../contract/reading.ts';
import type { SeriesKind } from '../../../../domain/series.ts';
import type { Situacion } from '../../../../domain/situaciones.ts';
import { proximosNumerosQuery } from '../../../lib/queries.ts';
import { DayField } from '../../../ui/forms/day-field.tsx';
import { Select } from '../../../ui/forms/select.tsx';
import { ClientNote, DateNote, NumberNote } from '../upload/read-notes.tsx';
import { isDeleted, useCatalogs } from './catalogs.tsx';
import { ClientField } from './client-field.tsx';
import classes from './document-card.module.css';
import {
  type DraftAction,
  type DraftState,
  refersToOthers,
  type UsualTicket,
} from './draft-state.ts';
import { FindingNote } from './finding-note.tsx';
import { findingAt, type PlacedFinding } from './findings.ts';
import type { FixContext } from './fixes.ts';
import { usuallyHasIvaIncluido } from './iva-incluido.ts';
import type { CommonSituation } from './lines.ts';
import { MoreOptions } from './more-options.tsx';
import { RectifyFields, type RectifyFieldsProps } from './rectify-fields.tsx';
import { ReplacedField } from './replaced-field.tsx';
import { SituationField } from './situation-field.tsx';
import { SPANISH_VAT } from './spanish-vat.ts';
import {
  ABONO_NOTES,
  ABONO_OPTIONS,
  F4_NOTE,
  FACTURA_FIELD_OPTIONS,
  typeLabel,
} from './types-of-invoice.ts';

export interface DocumentCardProps {
  readonly state: DraftState;
  readonly dispatch: Dispatch<DraftAction>;
  readonly findings: readonly PlacedFinding[];
  readonly fix: FixContext;
  readonly companyId: string;
  readonly today: string;
  /** Nothing may be changed. */
  readonly isReadOnly: boolean;
  /** Number of a registered invoice. The number, its date and its type cannot be corrected. */
  readonly registeredNo: string | undefined;
  /** The series from which it gets its number. */
  readonly serie: SeriesKind;
  /** The situation of all the lines. It stays the same object while they do not change it. */
  readonly situation: CommonSituation;
  /** There is a finding about one of the fields hidden under «Más opciones». */
  readonly hasOptionFindings: boolean;
  readonly onCreateClient: (name: string) => void;
  readonly onEditClient: () => void;
  /** What it was read from, if it came from a file. */
  readonly lectura: LecturaAnswer | undefined;
  /** Opens the card of a new client of whom something is known. */
  readonly onReviewClient: (client: Cliente) => void;
}

/** Everything in the invoice except its lines: typing in one of them does not render it again. */
export const DocumentCard = memo(DocumentFields, isSameDocument);

function isSameDocument(a: DocumentCardProps, b: DocumentCardProps): boolean {
  const withoutLines = ({
    state: { lines: _lines, nextLine: _next, ...state },
    ...props
  }: DocumentCardProps) => ({
    ...state,
    ...props,
  });
  return shallowEqual(withoutLines(a), withoutLines(b));
}

function DocumentFields(props: DocumentCardProps) {
  const { state, dispatch, findings, fix, today, isReadOnly, registeredNo, lectura } = props;
  const catalogs = useCatalogs();
  const { clients, clientByNo, company, clavesRegimen } = catalogs;
  const client = clientByNo.get(state.invoiceClient);
  const isFixed = isReadOnly || registeredNo !== undefined;
  const usual = {
    client: clientByNo.get(company.Customer),
    ivaIncluido: usuallyHasIvaIncluido(props.companyId),
  };
  const chooseSituation = useCallback(
    (situacion: Situacion, tipoDestino: string) =>
      dispatch({ kind: 'situation', situacion, tipoDestino }),
    [dispatch],
  );
  const pickSituation = useCallback(
    (id: string) => {
      if (id === SPANISH_VAT) fix.acceptVat();
    },
    [fix],
  );

  const noteAt = (place: string) => {
    const finding = findingAt(findings, place);
    return {
      note: finding ? <FindingNote finding={finding} fix={fix} /> : undefined,
      isWrong: finding?.gravedad === 'bloquea',
    };
  };
  const wrapped = (place: string) => {
    const { note, isWrong } = noteAt(place);
    return isWrong ? { error: note } : { description: note };
  };

  return (
    <div className={`hu-card ${classes.card}`}>
      <ClassOfInvoice
        state={state}
        dispatch={dispatch}
        usual={usual}
        isDisabled={isFixed}
        note={noteAt('isSimplificada').note}
      />
      <div className={classes.grid} data-type={state.type}>
        <div className={classes.number}>
          <NumberField serie={props.serie} registeredNo={registeredNo} />
          {lectura && registeredNo === undefined && <NumberNote lectura={lectura} />}
        </div>
        <div className={classes.day}>
          <DayField
            label="Fecha"
            place="invoiceDate"
            value={state.invoiceDate}
            today={today}
            maxDate={today}
            isDisabled={isFixed}
            onChange={(invoiceDate) => dispatch({ kind: 'set', change: { invoiceDate } })}
            {...wrapped('invoiceDate')}
          />
          {lectura && <DateNote lectura={lectura} state={state} />}
        </div>
        <KindField
          state={state}
          dispatch={dispatch}
          usual={usual}
          isDisabled={isFixed}
          wrapped={wrapped}
        />
        <div className={classes.client}>
          <ClientField
            clients={clients}
            chosen={client}
            isDeleted={isDeleted(catalogs, client)}
            isDisabled={isReadOnly}
            {...noteAt('invoiceClient')}
            onChoose={(client: Cliente | null) => dispatch({ kind: 'client', client })}
            onCreate={props.onCreateClient}
            onEdit={props.onEditClient}
          />
          {lectura && (
            <ClientNote
              lectura={lectura}
              state={state}
              dispatch={dispatch}
              isReadOnly={isReadOnly}
              onReview={props.onReviewClient}
            />
          )}
        </div>
        <div className={classes.clave}>
          <Select
            label="Clave de régimen"
            data-place="claveRegimen"
            data={[...clavesRegimen]}
            value={claveShown(state.claveRegimen, props.situation)}
            allowDeselect={false}
            disabled={isReadOnly}
            comboboxProps={WIDE}
            onChange={(value) => dispatch({ kind: 'set', change: { claveRegimen: value ?? '01' } })}
            {...wrapped('claveRegimen')}
          />
        </div>
        <div className={classes.whole}>
          <SituationField
            value={props.situation}
            client={client}
            typeClient={state.typeClient}
            isReadOnly={isReadOnly}
            note={noteAt('situacion').note}
            onChoose={chooseSituation}
            onPick={pickSituation}
          />
        </div>
        {refersToOthers(state) && (
          <div className={classes.whole}>
            <Referenced {...props} {...noteAt('invoiceToRectify')} noteAt={noteAt} usual={usual} />
          </div>
        )}
        <div className={classes.whole}>
          <MoreOptions
            state={state}
            dispatch={dispatch}
            today={today}
            isReadOnly={isReadOnly}
            isForcedOpen={props.hasOptionFindings}
            noteAt={wrapped}
            lectura={isReadOnly ? undefined : props.lectura}
          />
        </div>
      </div>
    </div>
  );
}

interface HeadFieldProps extends Pick<DocumentCardProps, 'state' | 'dispatch'> {
  readonly usual: UsualTicket;
  readonly isDisabled: boolean;
}

interface ClassOfInvoiceProps extends HeadFieldProps {
  /** What is wrong with its being simplified. */
  readonly note: ReactNode;
}

/** Invoice or abono, complete or simplified: the rest of the card follows from it. */
function ClassOfInvoice({ state, dispatch, usual, isDisabled, note }: ClassOfInvoiceProps) {
  const noteId = useId();
  return (
    <>
      <div className={classes.top}>
        <SegmentedControl
          aria-label="Clase de factura"
          className={classes.type ?? ''}
          data={TYPES}
          value={state.type}
          disabled={isDisabled}
          onChange={(type) =>
            dispatch({ kind: 'set', change: { type: type === 'abono' ? 'abono' : 'factura' } })
          }
        />
        <Checkbox
          label="Factura simplificada"
          data-place="isSimplificada"
          aria-describedby={note ? noteId : undefined}
          checked={state.isSimplificada}
          disabled={isDisabled}
          onChange={(event) =>
            dispatch({ kind: 'simplificada', on: event.currentTarget.checked, usual })
          }
        />
      </div>
      {note && (
        <p id={noteId} className={classes.classNote}>
          {note}
        </p>
      )}
    </>
  );
}

interface KindFieldProps extends HeadFieldProps {
  readonly wrapped: (place: string) => {
    readonly error?: ReactNode;
    readonly description?: ReactNode;
  };
}

/** The type of an invoice; for an abono, the reason why it rectifies. */
function KindField({ state, dispatch, usual, isDisabled, wrapped }: KindFieldProps) {
  if (state.type === 'abono') {
    return (
      <Select
        label="Tipo de rectificación"
        className={classes.whole ?? ''}
        styles={{ options: { maxHeight: 360 } }}
        data-place="crmemoType"
        data={ABONO_OPTIONS}
        value={String(state.crmemoType)}
        allowDeselect={false}
        disabled={isDisabled}
        renderOption={({ option }) => (
          <TypeOption label={option.label} note={ABONO_NOTES[option.value] ?? ''} />
        )}
        onChange={(code) => dispatch({ kind: 'crmemo-type', code: Number(code), usual })}
        {...wrapped('crmemoType')}
      />
    );
  }
  return (
    <Select
      label="Tipo de factura"
      className={classes.kind ?? ''}
      data-place="invoiceType"
      data={FACTURA_FIELD_OPTIONS}
      value={String(state.invoiceType)}
      allowDeselect={false}
      disabled={isDisabled}
      comboboxProps={WIDE}
      renderOption={({ option }) => (
        <TypeOption
          label={typeLabel('factura', Number(option.value))}
          note={option.value === '3' ? F4_NOTE : ''}
        />
      )}
      onChange={(code) => dispatch({ kind: 'invoice-type', code: Number(code), usual })}
      {...wrapped('invoiceType')}
    />
  );
}

/** The invoice's own key or, until the user chooses one, that of its situation. */
function claveShown(claveRegimen: string, situation: DocumentCardProps['situation']): string {
  if (claveRegimen !== '01' || situation === null || typeof situation === 'string')
    return claveRegimen;
  return situation.ClaveRegimen;
}

const TYPES = [
  { value: 'factura', label: 'Factura' },
  { value: 'abono', label: 'Abono' },
];

/** The names in the law are longer than the field, so their list may be wider. */
const WIDE = { width: 'max-content', position: 'bottom-end' } as const;

function Referenced(
  props: DocumentCardProps & Pick<RectifyFieldsProps, 'note' | 'isWrong' | 'noteAt' | 'usual'>,
) {
  const { state, dispatch, today, isReadOnly, note, isWrong, noteAt, usual } = props;
  const Field = state.type === 'abono' ? RectifyFields : ReplacedField;
  return (
    <Field
      state={state}
      dispatch={dispatch}
      today={today}
      isReadOnly={isReadOnly}
      note={note}
      isWrong={isWrong}
      noteAt={noteAt}
      usual={usual}
    />
  );
}

function TypeOption({ label, note }: { label: string; note: string }) {
  return (
    <span className={classes.option}>
      {label}
      {note && <span className={classes.optionNote}>{note}</span>}
    </span>
  );
}

/** The characters of the longest number that fits in the field beside its words: `00001/26RS`. */
const MAX_BESIDE = 10;
/** The same on the narrowest phones: `00001/26S`. */
const MAX_BESIDE_ON_PHONE = 9;

/** The number is assigned by the server when it is registered; until then, the field shows the one it would get. */
function NumberField({
  serie,
  registeredNo,
}: {
  serie: SeriesKind;
  registeredNo: string | undefined;
}) {
  const { data: next } = useQuery(proximosNumerosQuery);
  const expected = registeredNo === undefined ? next?.[serie] : undefined;
  const length = expected?.length ?? 0;
  const isLong = length > MAX_BESIDE;
  const isTight = length > MAX_BESIDE_ON_PHONE;
  return (
    <TextInput
      label="Número de factura"
      readOnly
      value={registeredNo ?? 'Se asignará al registrar'}
      rightSectionWidth="auto"
      rightSectionPointerEvents="none"
      rightSection={
        expected &&
        !isLong && (
          <span className={classes.expected} data-tight={isTight || undefined}>
            previsto {expected}
          </span>
        )
      }
      {...(!isLong && {
        classNames: { description: isTight ? classes.tightBelow : classes.expectedBelow },
      })}
      description={expected && `Previsto: ${expected}`}
    />
  );
}
