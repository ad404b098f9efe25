import { TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { DatosEmpresa, DatosEmpresaCambiada } from '../../../contract/company.ts';
import { focusFirstInvalid } from '../../lib/focus-invalid.ts';
import { companyFieldId } from '../../lib/paths.ts';
import { paisesQuery } from '../../lib/queries.ts';
import { forgetTyped, useTyped } from '../../lib/typed.ts';
import { optionFilter } from '../../ui/forms/option-filter.ts';
import { Select } from '../../ui/forms/select.tsx';
import { TOAST_ICONS } from '../../ui/toast-icons.tsx';
import { type CompanyFields, useSaveCompany, useShowError } from './api.ts';
import {
  companyErrors,
  nifNotice,
  normalizedCompany,
  printNotice,
  territoryNotice,
} from './company-draft.ts';
import { ModifiedChip } from './modified-chip.tsx';
import classes from './profile.module.css';
import { SaveButtons } from './save-buttons.tsx';
import { Section } from './section.tsx';

/** The company data on every invoice. */
export function CompanySection({ company }: { readonly company: DatosEmpresa }) {
  const { data: paises = [] } = useQuery(paisesQuery);
  const { draft, isModified, isSaving, text, change, submit, undo } = useCompanyDraft(company);

  return (
    <Section
      id="empresa"
      title="Información de empresa"
      help="Tal como figura en tu tarjeta fiscal: es lo que lleva cada factura."
      badge={isModified && <ModifiedChip />}
    >
      <form onSubmit={submit} noValidate>
        <div className={classes.grid}>
          <TextInput
            label="Nombre de la empresa"
            className={classes.wide}
            autoComplete="organization"
            maxLength={120}
            description={printNotice(draft, 'Name')}
            {...text('Name')}
          />
          <TextInput
            label="NIF/CIF"
            className={classes.third}
            autoComplete="off"
            spellCheck={false}
            maxLength={20}
            description={nifNotice(draft)}
            {...text('VATRegistrationNo')}
          />
          <TextInput
            label="Dirección"
            className={classes.half}
            autoComplete="street-address"
            maxLength={250}
            description={printNotice(draft, 'Address')}
            {...text('Address')}
          />
          <TextInput
            label="Código postal"
            className={classes.short}
            autoComplete="postal-code"
            inputMode="numeric"
            maxLength={10}
            {...text('postCode')}
          />
          <TextInput
            label="Municipio"
            className={classes.third}
            autoComplete="address-level2"
            maxLength={50}
            description={printNotice(draft, 'Municipio')}
            {...text('Municipio')}
          />
          <Select
            label="País"
            className={classes.third}
            searchable
            openOnFocus={false}
            allowDeselect={false}
            nothingFoundMessage="Ningún país coincide"
            filter={optionFilter}
            data={[...paises]}
            value={draft.countryCode}
            onChange={(countryCode) => change({ countryCode: countryCode ?? 'ES' })}
          />
        </div>
        <Notice text={territoryNotice(draft)} />
        {isModified && <SaveButtons isPending={isSaving} isSaving={isSaving} onUndo={undo} />}
      </form>
    </Section>
  );
}

/** What is typed, whose errors show once their field is left. Nothing is sent when nothing changed. */
function useCompanyDraft(company: DatosEmpresa) {
  const saved = fieldsOf(company);
  const [draft, setDraft] = useTyped('empresa', saved);
  const [left, setLeft] = useState<ReadonlySet<keyof CompanyFields>>(new Set());
  const save = useSaveCompany();
  const showError = useShowError();
  const isModified = !isSame(normalizedCompany(draft), saved);
  const found = companyErrors(draft);

  const change = (changed: Partial<CompanyFields>) => setDraft({ ...draft, ...changed });
  const onSaved = (answer: DatosEmpresaCambiada) => {
    setDraft(fieldsOf(answer));
    forgetTyped('empresa');
    setLeft(new Set());
    notifications.show({ message: 'Los datos de tu empresa están guardados.' });
    if (answer.message) {
      notifications.show({ icon: TOAST_ICONS.blue, message: answer.message, autoClose: false });
    }
  };
  return {
    draft,
    isModified,
    isSaving: save.isPending,
    change,
    text: (field: keyof CompanyFields) => ({
      id: companyFieldId(field),
      value: draft[field],
      error: left.has(field) && found[field],
      onChange: (event: { currentTarget: HTMLInputElement }) =>
        change({ [field]: event.currentTarget.value }),
      onBlur: () => draft[field] !== saved[field] && setLeft(new Set(left).add(field)),
    }),
    submit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      if (!isModified || save.isPending) return;
      setLeft(new Set(Object.keys(found) as (keyof CompanyFields)[]));
      if (Object.keys(found).length > 0) focusFirstInvalid(event.currentTarget);
      else save.mutate(normalizedCompany(draft), { onSuccess: onSaved, onError: showError });
    },
    undo: () => {
      setDraft(saved);
      setLeft(new Set());
    },
  };
}

function Notice({ text }: { readonly text: string | undefined }) {
  return (
    <p className={classes.notice} role="status">
      {text}
    </p>
  );
}

function fieldsOf(company: DatosEmpresa): CompanyFields {
  const { Name, VATRegistrationNo, Address, countryCode, postCode, Municipio = '' } = company;
  return { Name, VATRegistrationNo, Address, countryCode, postCode, Municipio };
}

function isSame(a: CompanyFields, b: CompanyFields): boolean {
  return (Object.keys(a) as (keyof CompanyFields)[]).every((field) => a[field] === b[field]);
}
