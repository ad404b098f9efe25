import { type FormEvent, useDeferredValue, useMemo, useRef, useState } from 'react';
import type { Cliente } from '../../../contract/parties.ts';
import { DIR3_ROLES } from '../../../domain/dir3.ts';
import { changedFields } from '../../lib/changed-fields.ts';
import { focusFirstInvalid } from '../../lib/focus-invalid.ts';
import { customerNotes, knownCustomers, normalizedNif, proposedGroup } from './customer-draft.ts';
import type { CustomerFormProps } from './customer-form.tsx';

type Field = keyof Cliente;

/** The state of the form: the input, which fields were left, and who chose the group. */
export function useCustomerDraft(props: CustomerFormProps) {
  const { customer, options, customers, isSaving, onSave, onDirtyChange } = props;
  const [draft, setDraft] = useState(props.typed ?? customer);
  const [left, setLeft] = useState(props.typed ? ALL_FIELDS : NONE);
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

const NONE: ReadonlySet<Field> = new Set();

const ALL_FIELDS: ReadonlySet<Field> = new Set([
  ...(['Name', 'VATRegistrationNo', 'Email', 'postCode'] as const),
  ...DIR3_ROLES.map(({ field }) => field),
]);

function isSame(a: Cliente, b: Cliente): boolean {
  return (Object.keys(a) as Field[]).every((field) => (a[field] ?? '') === (b[field] ?? ''));
}
