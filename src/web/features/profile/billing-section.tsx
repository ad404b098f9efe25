import { Button, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCheck, IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { DatosEmpresa } from '../../../contract/company.ts';
import { MAX_REGISTRY_DATA } from '../../../domain/company.ts';
import { admitsRetention, isSociedad, retentionOptions } from '../../../domain/irpf.ts';
import { territoryOf } from '../../../domain/postal-code.ts';
import { firstTax, usualTaxes } from '../../../domain/usual-tax.ts';
import {
  clientesQuery,
  formasPagoQuery,
  grupoContableQuery,
  grupoIvaQuery,
  proximosNumerosQuery,
  terminosPagoQuery,
} from '../../lib/queries.ts';
import { Chip } from '../../ui/chip.tsx';
import { optionFilter } from '../../ui/forms/option-filter.ts';
import { Select } from '../../ui/forms/select.tsx';
import { type DefaultFields, useShowError } from './api.ts';
import { CounterDialog } from './counter-dialog.tsx';
import { PaperField } from './paper-field.tsx';
import classes from './profile.module.css';
import { Section } from './section.tsx';
import { useDefaults } from './use-defaults.ts';

/** Defaults for new clients and invoices. Each choice is saved at once. */
export function BillingSection({ company }: { readonly company: DatosEmpresa }) {
  const { data: terminos = [] } = useQuery(terminosPagoQuery);
  const { data: formas = [] } = useQuery(formasPagoQuery);
  const { data: grupos = [] } = useQuery(grupoContableQuery);
  const { saved, shown, isSaving, isSaved, change } = useDefaults(company);
  const showError = useShowError();

  const choice = (field: keyof DefaultFields) => ({
    className: classes.part ?? '',
    value: shown[field] || null,
    onChange: (value: string | null) => {
      if ((value ?? '') !== shown[field]) change({ [field]: value ?? '' }).catch(showError);
    },
  });

  return (
    <Section
      id="facturacion"
      title="Datos de facturación"
      help="Lo que proponemos en cada cliente y factura. Se guarda al elegir."
      badge={
        isSaved && (
          <Chip tone="green" icon={IconCheck}>
            Guardado
          </Chip>
        )
      }
    >
      <div className={classes.grid}>
        <Select
          label="Término pago"
          data={[...terminos]}
          allowDeselect={false}
          {...choice('PaymentTerms')}
        />
        <Select
          label="Forma pago"
          data={[...formas]}
          allowDeselect={false}
          {...choice('PaymentMethod')}
        />
        <Select
          label="Grupo contable"
          data={[...grupos]}
          allowDeselect={false}
          {...choice('CustomerPostingGroup')}
        />
        <TicketCustomerField {...choice('Customer')} />
        <RetentionField company={company} {...choice('RetencionPorDefecto')} />
        <UsualTaxField {...choice('ImpuestoPorDefecto')} />
        <PaperField
          label="IBAN"
          help="Sale en las facturas que se pagan por transferencia."
          saved={groupsOfFour(saved.IBAN)}
          isSaving={isSaving}
          autoComplete="off"
          onSave={(IBAN) => change({ IBAN })}
        />
        <PaperField
          label="Teléfono"
          help="Sale en tus facturas, bajo la dirección."
          saved={saved.Telefono}
          isSaving={isSaving}
          autoComplete="tel"
          onSave={(Telefono) => change({ Telefono })}
        />
        <CounterField company={company} />
        <PaperField
          label="Datos registrales"
          help="Salen al pie de tus facturas. Las sociedades tienen que decir dónde están inscritas: «Inscrita en el Registro Mercantil de Zaragoza, tomo 4211, folio 87, hoja Z-58213»."
          saved={saved.DatosRegistrales}
          isSaving={isSaving}
          autoComplete="off"
          maxLength={MAX_REGISTRY_DATA}
          isWide
          onSave={(DatosRegistrales) => change({ DatosRegistrales })}
        />
      </div>
    </Section>
  );
}

interface ChoiceProps {
  readonly className: string;
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
}

/** The client that simplified invoices begin with. */
function TicketCustomerField(field: ChoiceProps) {
  const { data: clientes } = useQuery(clientesQuery);
  // There may be ten thousand: not recomputed with each letter typed.
  const customers = useMemo(
    () => (clientes ?? []).map(({ No, Name }) => ({ value: No, label: Name })),
    [clientes],
  );
  return (
    <Select
      label="Cliente de las simplificadas"
      placeholder="Ninguno"
      searchable
      openOnFocus={false}
      clearable
      clearButtonProps={{ 'aria-label': 'Quitar el cliente de las simplificadas' }}
      filter={optionFilter}
      limit={50}
      nothingFoundMessage="Ningún cliente coincide"
      data={customers}
      {...field}
    />
  );
}

/** For a company, only the retention on rents. */
function RetentionField({
  company: { VATRegistrationNo, postCode, countryCode },
  ...field
}: ChoiceProps & { readonly company: DatosEmpresa }) {
  const options = retentionOptions(field.value ?? '', territoryOf(postCode, countryCode));
  return (
    <Select
      label="Retención habitual"
      description={
        isSociedad(VATRegistrationNo)
          ? 'Solo si alquilas locales: cada factura nueva a una empresa de España empieza con ella.'
          : 'Cada factura nueva a una empresa de España empieza con ella.'
      }
      placeholder="Sin retención"
      clearable
      clearButtonProps={{ 'aria-label': 'Quitar la retención habitual' }}
      data={options.filter(
        ({ value }) => value === field.value || admitsRetention(VATRegistrationNo, value),
      )}
      {...field}
    />
  );
}

/** Empty, it shows the tax that new lines have all the same. */
function UsualTaxField(field: ChoiceProps) {
  const { data: groups = [] } = useQuery(grupoIvaQuery);
  return (
    <Select
      label="Impuesto habitual"
      styles={{ input: { textOverflow: 'ellipsis' } }}
      description="Cada línea nueva empieza con él, salvo las de un producto que tiene el suyo."
      placeholder={firstTax(groups, 'NAC')?.Description ?? ''}
      searchable
      openOnFocus={false}
      clearable
      clearButtonProps={{ 'aria-label': 'Quitar el impuesto habitual' }}
      filter={optionFilter}
      nothingFoundMessage="Ningún impuesto coincide"
      data={usualTaxes(groups).map(({ VATProdPostingGroup, Description }) => ({
        value: VATProdPostingGroup,
        label: rateFirst(Description),
      }))}
      {...field}
    />
  );
}

/** `Estoy en el criterio de caja (10 %)` → `10 % · Estoy en el criterio de caja`: at the end it would be cut off. */
function rateFirst(description: string): string {
  return description.replace(/^(.+) \(([\d,]+\s%)\)$/, '$2 · $1');
}

/** The next number of the ordinary series, and the dialog that starts it again. */
function CounterField({ company }: { readonly company: DatosEmpresa }) {
  // It changes with every registered invoice, here or elsewhere, so the company's data may be out of date.
  const { data: numbers } = useQuery(proximosNumerosQuery);
  const noSerie = numbers?.F ?? company.NoSerie;
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <>
      <div className={`${classes.part} ${classes.counter}`}>
        <TextInput label="Contador de facturas" readOnly value={noSerie} />
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} stroke={1.7} aria-hidden="true" />}
          onClick={dialog.open}
        >
          Reiniciar
        </Button>
      </div>
      {isOpen && <CounterDialog current={noSerie} onClose={dialog.close} />}
    </>
  );
}

/** `ES9121000418…` in groups: `ES91 2100 0418 …`. */
function groupsOfFour(iban: string): string {
  return iban.replace(/(.{4})(?=.)/g, '$1 ');
}
