import { Button, TextInput } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import type { Option } from '../../../contract/common.ts';
import type { Cliente } from '../../../contract/parties.ts';
import { IDENTIFICACIONES } from '../../../domain/customer.ts';
import { DIR3_ROLES } from '../../../domain/dir3.ts';
import type { Changed } from '../../lib/changed-fields.ts';
import type { CustomerNote } from './customer-draft.ts';
import classes from './customer-form.module.css';
import { OfficeFields } from './office-fields.tsx';
import { optionFilter } from './option-filter.ts';
import { Select } from './select.tsx';
import { useCustomerDraft } from './use-customer-draft.ts';
import { useEscape } from './use-escape.ts';

/** The options of a customer's selects, from the catalogs. */
export interface CustomerOptions {
  readonly paises: readonly Option[];
  readonly terminosPago: readonly Option[];
  readonly formasPago: readonly Option[];
  readonly gruposContables: readonly Option[];
}

export interface CustomerFormProps {
  /** The customer to change, as it was opened, or a new one (`newCustomer`) without `No`. */
  readonly customer: Cliente;
  readonly options: CustomerOptions;
  /** The company's customers, to point out possible duplicates. */
  readonly customers: readonly Cliente[];
  readonly isSaving: boolean;
  /** Receives what was changed; for a new one, everything. */
  readonly onSave: (customer: Changed<Cliente>) => void;
  readonly onCancel: () => void;
  /** Uses an existing customer instead of the new one, where one may be chosen. */
  readonly onUse?: ((customer: Cliente) => void) | undefined;
  /** Called when unsaved input would be lost on leaving. */
  readonly onDirtyChange?: (isDirty: boolean, draft: Cliente) => void;
  /** Unsaved input from before, with which the form continues. */
  readonly typed?: Cliente | undefined;
  /** The field that it begins in. */
  readonly start?: Start;
}

type Start = (typeof STARTS)[number];

/** What an invoice asks for, and what sending it does. */
const STARTS = ['Name', 'VATRegistrationNo', 'Address', 'Email'] as const;

/** Where the card of a customer begins: at the first of them that is not there. */
export function firstMissing(customer: Cliente): Start {
  return STARTS.find((field) => !customer[field]?.trim()) ?? 'Name';
}

type Field = keyof Cliente;

/**
 * The fields of a customer. Only the name is required. Errors are shown beside their field as it is typed, with a
 * button that fixes them if possible. Enter saves, Escape cancels.
 */
export function CustomerForm(props: CustomerFormProps) {
  const { options, isSaving, onCancel, onUse, start = 'Name' } = props;
  const { draft, notes, change, leave, submit } = useCustomerDraft(props);
  const leaving = useEscape(onCancel);

  const text = (field: Field) => ({
    value: draft[field] ?? '',
    onChange: (event: { currentTarget: HTMLInputElement }) =>
      change({ [field]: event.currentTarget.value }),
    onBlur: () => leave(field),
    ...(field === start && { autoFocus: true, 'data-autofocus': true }),
    ...noteProps(notes[field], change, onUse),
  });
  const select = (field: Field, data: readonly Option[]) => ({
    value: draft[field] || null,
    data: [...data],
    allowDeselect: false,
    ...leaving.selectProps,
    onChange: (value: string | null) => change({ [field]: value ?? '' }),
    ...noteProps(notes[field], change),
  });

  return (
    <form
      className={classes.form}
      noValidate
      aria-label={draft.No ? `Editar ${props.customer.Name}` : 'Nuevo cliente'}
      onSubmit={submit}
      {...leaving.formProps}
    >
      <div className={classes.grid}>
        <TextInput
          label="Nombre"
          required
          className={classes.wide}
          maxLength={120}
          autoComplete="off"
          {...text('Name')}
        />
        <TextInput
          label="CIF"
          maxLength={20}
          autoComplete="off"
          spellCheck={false}
          {...text('VATRegistrationNo')}
        />
        <TextInput
          label="Email"
          type="email"
          className={classes.mid}
          maxLength={254}
          autoComplete="off"
          {...text('Email')}
        />
        <TextInput
          label="Dir. facturación"
          className={classes.wide}
          maxLength={300}
          autoComplete="off"
          {...text('Address')}
        />
        <TextInput
          label="Código postal"
          maxLength={20}
          autoComplete="off"
          inputMode={draft.countryCode === 'ES' ? 'numeric' : 'text'}
          {...text('postCode')}
        />
        <TextInput
          label="Municipio"
          className={classes.mid}
          maxLength={50}
          autoComplete="off"
          {...text('municipio')}
        />
        <Select
          label="País"
          searchable
          openOnFocus={false}
          nothingFoundMessage="Ningún país coincide"
          filter={optionFilter}
          {...select('countryCode', options.paises)}
        />
        <Select label="Término pago" {...select('PaymentTerms', options.terminosPago)} />
        <Select label="Forma pago" {...select('PaymentMethod', options.formasPago)} />
        <Select
          label="Grupo contable"
          {...select('CustomerPostingGroup', options.gruposContables)}
        />
        <Select
          label="Identificación"
          className={classes.wide}
          placeholder="Por su CIF o NIF, lo normal"
          clearable
          clearButtonProps={{ 'aria-label': 'Identificarlo por su CIF o NIF' }}
          {...select('tipoIdentificacion', IDENTIFICACIONES)}
        />
        <OfficeFields
          text={text}
          isForcedOpen={DIR3_ROLES.some(({ field }) => notes[field])}
          isOpenAtFirst={DIR3_ROLES.some(({ field }) => draft[field])}
        />
        <Actions isSaving={isSaving} onCancel={onCancel} />
      </div>
    </form>
  );
}

function Actions({ isSaving, onCancel }: Pick<CustomerFormProps, 'isSaving' | 'onCancel'>) {
  return (
    <div className={classes.actions}>
      <Button variant="default" onMouseDown={keepFocus} onClick={onCancel}>
        Cancelar
      </Button>
      <Button
        type="submit"
        onMouseDown={keepFocus}
        onClick={takeFocus}
        leftSection={<IconCheck size={16} stroke={1.8} aria-hidden />}
        aria-disabled={isSaving}
      >
        {isSaving ? 'Guardando…' : 'Guardar'}
      </Button>
    </div>
  );
}

/** Leaving the field shows its errors, which would move the button away from the pointer that presses it. */
function keepFocus(event: MouseEvent) {
  event.preventDefault();
}

/** Takes the focus after the press. Submitting with a key leaves the focus where it is. */
function takeFocus({ detail, currentTarget }: MouseEvent<HTMLButtonElement>) {
  if (detail > 0) currentTarget.focus();
}

function noteProps(
  note: CustomerNote | undefined,
  change: (fix: Partial<Cliente>) => void,
  onUse?: CustomerFormProps['onUse'],
) {
  if (!note) return {};
  const { kind, text, fix, same } = note;
  const content = (
    <>
      {text}
      {fix && (
        <button
          type="button"
          className={`hu-link ${classes.fix}`}
          onClick={() => change(fix.change)}
        >
          {fix.label}
        </button>
      )}
      {same && onUse && (
        <>
          {' '}
          <button type="button" className={`hu-link ${classes.fix}`} onClick={() => onUse(same)}>
            Elegir ese cliente
          </button>
        </>
      )}
    </>
  );
  if (kind === 'error') return { error: content };
  return { description: <span className={classes[kind]}>{content}</span> };
}
