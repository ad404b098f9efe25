import { Button, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCheck, IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import type { DatosEmpresa } from '../../../contract/company.ts';
import { MAX_REGISTRY_DATA } from '../../../domain/company.ts';
import { admitsRetention, isSociedad, retentionOptions } from '../../../domain/irpf.ts';
import { territoryOf } from '../../../domain/postal-code.ts';
import { firstTax, usualTaxes } from '../../../domain/usual-tax.ts';
import { errorMessages } from '../../lib/http.ts';
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
import { type DefaultFields, useSaveDefaults, useShowError } from './api.ts';
import { CounterDialog } from './counter-dialog.tsx';
import classes from './profile.module.css';
import { Section } from './section.tsx';

/** Defaults for new clients and invoices. Each choice is saved at once. */
export function BillingSection({ company }: { readonly company: DatosEmpresa }) {
  const { data: terminos = [] } = useQuery(terminosPagoQuery);
  const { data: formas = [] } = useQuery(formasPagoQuery);
  const { data: grupos = [] } = useQuery(grupoContableQuery);
  const { data: clientes } = useQuery(clientesQuery);
  // There may be ten thousand: not recomputed with each letter typed.
  const customers = useMemo(
    () => (clientes ?? []).map(({ No, Name }) => ({ value: No, label: Name })),
    [clientes],
  );
  // It changes with every registered invoice, here or elsewhere, so the company's data may be out of date.
  const { data: numbers } = useQuery(proximosNumerosQuery);
  const noSerie = numbers?.F ?? company.NoSerie;
  const [isCounterOpen, counter] = useDisclosure(false);
  const { saved, shown, isSaving, isSaved, change } = useDefaults(company);
  const showError = useShowError();

  const select = (field: keyof DefaultFields) => ({
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
          {...select('PaymentTerms')}
        />
        <Select
          label="Forma pago"
          data={[...formas]}
          allowDeselect={false}
          {...select('PaymentMethod')}
        />
        <Select
          label="Grupo contable"
          data={[...grupos]}
          allowDeselect={false}
          {...select('CustomerPostingGroup')}
        />
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
          {...select('Customer')}
        />
        <RetentionField company={company} {...select('RetencionPorDefecto')} />
        <UsualTaxField {...select('ImpuestoPorDefecto')} />
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
        <div className={`${classes.part} ${classes.counter}`}>
          <TextInput label="Contador de facturas" readOnly value={noSerie} />
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} stroke={1.7} aria-hidden="true" />}
            onClick={counter.open}
          >
            Reiniciar
          </Button>
        </div>
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
      {isCounterOpen && <CounterDialog current={noSerie} onClose={counter.close} />}
    </Section>
  );
}

interface ChoiceProps {
  readonly className: string;
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
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
          ? 'Solo si alquilas locales: empieza con ella cada factura nueva a una empresa de España.'
          : 'Empieza con ella cada factura nueva a una empresa de España.'
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
      description="Empieza con él cada línea nueva que no sea de un producto con el suyo."
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

/**
 * The saved values, overlaid with changes that are being saved, one call at a time. Each call contains only its
 * change.
 */
function useDefaults(company: DatosEmpresa) {
  const save = useSaveDefaults();
  const [changes, setChanges] = useState<readonly Partial<DefaultFields>[]>([]);
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const saved = defaultsOf(company);

  /** @throws the error of the call */
  const change = (changed: Partial<DefaultFields>): Promise<void> => {
    setChanges((before) => [...before, changed]);
    const call = last.current
      .then(() => save.mutateAsync(changed))
      .then(() => undefined)
      .finally(() => setChanges((before) => before.filter((one) => one !== changed)));
    last.current = call.catch(() => undefined);
    return call;
  };

  return {
    saved,
    shown: Object.assign({}, saved, ...changes) as DefaultFields,
    isSaving: changes.length > 0,
    isSaved: save.isSuccess,
    change,
  };
}

function defaultsOf(company: DatosEmpresa): DefaultFields {
  const { PaymentTerms, PaymentMethod, CustomerPostingGroup, Customer } = company;
  const { IBAN = '', Telefono = '', DatosRegistrales = '' } = company;
  const { RetencionPorDefecto = '', ImpuestoPorDefecto = '' } = company;
  return {
    PaymentTerms,
    PaymentMethod,
    CustomerPostingGroup,
    Customer,
    IBAN,
    Telefono,
    RetencionPorDefecto,
    ImpuestoPorDefecto,
    DatosRegistrales,
  };
}

/** `ES9121000418…` in groups: `ES91 2100 0418 …`. */
function groupsOfFour(iban: string): string {
  return iban.replace(/(.{4})(?=.)/g, '$1 ');
}

interface PaperFieldProps {
  readonly label: string;
  readonly help: string;
  readonly saved: string;
  readonly isSaving: boolean;
  readonly autoComplete: string;
  readonly maxLength?: number;
  readonly isWide?: boolean;
  readonly onSave: (text: string) => Promise<unknown>;
}

/** A text that appears on invoices: saved when the field is left, if it has changed. */
function PaperField({
  label,
  help,
  saved,
  isSaving,
  autoComplete,
  maxLength = 50,
  isWide = false,
  onSave,
}: PaperFieldProps) {
  const [typed, setTyped] = useState(saved);
  const [shown, setShown] = useState(saved);
  // What the server made of it replaces what was typed.
  if (shown !== saved) {
    setShown(saved);
    setTyped(saved);
  }
  const [problem, setProblem] = useState<string | null>(null);
  const leave = () => {
    setProblem(null);
    // While a call is running, the saved value may be another by the time this runs.
    if (typed.trim() === saved && !isSaving) return;
    onSave(typed.trim()).catch((error) => setProblem(errorMessages(error).join(' ')));
  };
  return (
    <TextInput
      label={label}
      description={help}
      errorProps={{ role: 'alert' }}
      error={problem}
      className={(isWide ? classes.whole : classes.part) ?? ''}
      autoComplete={autoComplete}
      maxLength={maxLength}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={leave}
    />
  );
}
