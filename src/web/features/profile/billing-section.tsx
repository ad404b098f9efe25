import { Button, Select, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCheck, IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { DatosEmpresa } from '../../../contract/company.ts';
import {
  clientesQuery,
  formasPagoQuery,
  grupoContableQuery,
  terminosPagoQuery,
} from '../../lib/queries.ts';
import { Chip } from '../../ui/chip.tsx';
import { optionFilter } from '../../ui/forms/option-filter.ts';
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
    className: classes.half ?? '',
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
        <div className={`${classes.half} ${classes.counter}`}>
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
  return { PaymentTerms, PaymentMethod, CustomerPostingGroup, Customer };
}
