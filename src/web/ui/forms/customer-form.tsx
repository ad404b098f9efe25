import { Button, TextInput } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import {
  type FormEvent,
  type MouseEvent,
  useDeferredValue,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Option } from '../../../contract/common.ts';
import type { Cliente } from '../../../contract/parties.ts';
import { IDENTIFICACIONES } from '../../../domain/customer.ts';
import { DIR3_ROLES } from '../../../domain/dir3.ts';
import { type Changed, changedFields } from '../../lib/changed-fields.ts';
import { focusFirstInvalid } from '../../lib/focus-invalid.ts';
import {
  type CustomerNote,
  customerNotes,
  knownCustomers,
  normalizedNif,
  proposedGroup,
} from './customer-draft.ts';
import classes from './customer-form.module.css';
import { OfficeFields } from './office-fields.tsx';
import { optionFilter } from './option-filter.ts';
import { Select } from './select.tsx';
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
      </div>
    </form>
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

/** The state of the form: the input, which fields were left, and who chose the group. */
function useCustomerDraft(props: CustomerFormProps) {
  const { customer, options, customers, isSaving, onSave, onDirtyChange } = props;
  const [draft, setDraft] = useState(props.typed ?? customer);
  const [left, setLeft] = useState<ReadonlySet<Field>>(new Set());
  const choseGroup = useRef(false);
  // Deferred: looking for possible duplicates must not delay the opening of the form.
  const compared = useDeferredValue(customers, NOBODY);
  const known = useMemo(() => knownCustomers(compared), [compared]);
  const notes = customerNotes(draft, { known, left, groups: options.gruposContables });

  const change = (changed: Partial<Cliente>) => {
    if (changed.CustomerPostingGroup !== undefined) choseGroup.current = true;
    const next = { ...draft, ...changed };
    const isPlace = changed.postCode !== undefined || changed.countryCode !== undefined;
    if (isPlace && !choseGroup.current) {
      next.CustomerPostingGroup = proposedGroup(next, options.gruposContables);
    }
    setDraft(next);
    onDirtyChange?.(!isSame(next, customer), next);
  };

  const leave = (field: Field) => {
    setLeft(new Set(left).add(field));
    if (field === 'VATRegistrationNo') change({ VATRegistrationNo: normalizedNif(draft) });
    else if (draft[field] !== draft[field]?.trim()) change({ [field]: draft[field]?.trim() });
  };

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    event.stopPropagation(); // Inside another form's dialog, that form must not submit as well.
    if (isSaving) return;
    setLeft(ALL_FIELDS);
    const complete = { ...draft, VATRegistrationNo: normalizedNif(draft) };
    const found = customerNotes(complete, { known, left: ALL_FIELDS, groups: [] });
    const wrong = Object.values(found).some(({ kind }) => kind === 'error');
    if (wrong) focusFirstInvalid(event.currentTarget);
    else onSave(changedFields(customer, complete));
  };

  return { draft, notes, change, leave, submit };
}

const NOBODY: readonly Cliente[] = [];

const ALL_FIELDS: ReadonlySet<Field> = new Set([
  ...(['Name', 'VATRegistrationNo', 'Email', 'postCode'] as const),
  ...DIR3_ROLES.map(({ field }) => field),
]);

function isSame(a: Cliente, b: Cliente): boolean {
  return (Object.keys(a) as Field[]).every((field) => (a[field] ?? '') === (b[field] ?? ''));
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
