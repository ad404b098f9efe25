import { Button, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCheck, IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { DatosEmpresa } from '../../../contract/company.ts';
import { errorMessages } from '../../lib/http.ts';
import {
  clientesQuery,
  formasPagoQuery,
  grupoContableQuery,
  terminosPagoQuery,
} from '../../lib/queries.ts';
import { Chip } from '../../ui/chip.tsx';
import { optionFilter } from '../../ui/forms/option-filter.ts';
import { Select } from '../../ui/forms/select.tsx';
import { type DefaultFields, useSaveDefaults, useShowError } from './api.ts';
import { CounterDialog } from './counter-dialog.tsx';
import classes from './profile.module.css';
import { Section } from './section.tsx';

/** What new clients and invoices start with. Each choice is saved at once. */
export function BillingSection({ company }: { readonly company: DatosEmpresa }) {
  const { data: terminos = [] } = useQuery(terminosPagoQuery);
  const { data: formas = [] } = useQuery(formasPagoQuery);
  const { data: grupos = [] } = useQuery(grupoContableQuery);
  const { data: clientes } = useQuery(clientesQuery);
  // There may be ten thousand: not made again at each letter typed.
  const customers = useMemo(
    () => (clientes ?? []).map(({ No, Name }) => ({ value: No, label: Name })),
    [clientes],
  );
  const [isCounterOpen, counter] = useDisclosure(false);
  const save = useSaveDefaults();
  const showError = useShowError();

  const saved = defaultsOf(company);
  const shown = save.isPending ? save.variables : saved;
  const select = (field: keyof DefaultFields) => ({
    className: classes.part ?? '',
    value: shown[field] || null,
    onChange: (value: string | null) => {
      if (save.isPending || (value ?? '') === saved[field]) return;
      save.mutate({ ...saved, [field]: value ?? '' }, { onError: showError });
    },
  });

  return (
    <Section
      id="facturacion"
      title="Datos de facturación"
      help="Lo que proponemos en cada cliente y factura. Se guarda al elegir."
      badge={
        save.isSuccess && (
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
        <PaperField
          label="IBAN"
          help="Sale en las facturas que se pagan por transferencia."
          saved={groupsOfFour(saved.IBAN)}
          isSaving={save.isPending}
          autoComplete="off"
          onSave={(IBAN) => save.mutateAsync({ ...saved, IBAN })}
        />
        <PaperField
          label="Teléfono"
          help="Sale en tus facturas, bajo la dirección."
          saved={saved.Telefono}
          isSaving={save.isPending}
          autoComplete="tel"
          onSave={(Telefono) => save.mutateAsync({ ...saved, Telefono })}
        />
        <div className={`${classes.part} ${classes.counter}`}>
          <TextInput label="Contador de facturas" readOnly value={company.NoSerie} />
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} stroke={1.7} aria-hidden="true" />}
            onClick={counter.open}
          >
            Reiniciar
          </Button>
        </div>
      </div>
      {isCounterOpen && <CounterDialog current={company.NoSerie} onClose={counter.close} />}
    </Section>
  );
}

function defaultsOf(company: DatosEmpresa): DefaultFields {
  const { PaymentTerms, PaymentMethod, CustomerPostingGroup, Customer } = company;
  const { IBAN = '', Telefono = '' } = company;
  return { PaymentTerms, PaymentMethod, CustomerPostingGroup, Customer, IBAN, Telefono };
}

/** `ES9121000418…` as people read it: `ES91 2100 0418 …`. */
function groupsOfFour(iban: string): string {
  return iban.replace(/(.{4})(?=.)/g, '$1 ');
}

interface PaperFieldProps {
  readonly label: string;
  readonly help: string;
  readonly saved: string;
  readonly isSaving: boolean;
  readonly autoComplete: string;
  readonly onSave: (text: string) => Promise<unknown>;
}

/** A text of the company's paper: saved when it is left, if it is another. */
function PaperField({ label, help, saved, isSaving, autoComplete, onSave }: PaperFieldProps) {
  const [typed, setTyped] = useState(saved);
  const [shown, setShown] = useState(saved);
  // What the server made of it takes the place of what was typed.
  if (shown !== saved) {
    setShown(saved);
    setTyped(saved);
  }
  const [problem, setProblem] = useState<string | null>(null);
  const [isLeft, setLeft] = useState(false);
  // One at a time: each call carries the other fields as they are saved.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once it has been left, or its turn comes.
  useEffect(() => {
    if (!isLeft || isSaving) return;
    setLeft(false);
    setProblem(null);
    if (typed.trim() === saved) return;
    onSave(typed.trim()).catch((error) => setProblem(errorMessages(error).join(' ')));
  }, [isLeft, isSaving]);
  return (
    <TextInput
      label={label}
      description={help}
      errorProps={{ role: 'alert' }}
      error={problem}
      className={classes.part ?? ''}
      autoComplete={autoComplete}
      maxLength={50}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={() => setLeft(true)}
    />
  );
}
