import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { clavesRegimenOf } from '../../../../domain/catalogs/catalogs.ts';
import {
  type Codigos,
  codigosOfTax,
  grupoDeCodigos,
  type Impuesto,
  taxOfCodigos,
} from '../../../../domain/situaciones.ts';
import { findVatGroup, type VatGroup } from '../../../../domain/vat.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Select } from '../../../ui/forms/select.tsx';

export interface CodesDialogProps {
  /** The tax of the line. */
  readonly tax: string;
  readonly groups: readonly VatGroup[];
  readonly typeClient: string;
  /** It rectifies another invoice, whose rates may no longer be in force. */
  readonly isAbono: boolean;
  readonly onChoose: (tax: string) => void;
  readonly onClose: () => void;
}

const IMPUESTOS = [
  { value: '01', label: '01 - IVA' },
  { value: '02', label: '02 - IPSI' },
  { value: '03', label: '03 - IGIC' },
];
const CALIFICACIONES = [
  { value: 'S1', label: 'S1 - Sujeta y no exenta' },
  { value: 'S2', label: 'S2 - Con inversión del sujeto pasivo' },
  { value: 'N1', label: 'N1 - No sujeta (art. 7, 14, otros)' },
  { value: 'N2', label: 'N2 - No sujeta por localización' },
];
const EXENCIONES: Readonly<Record<Impuesto, readonly string[]>> = {
  '01': [
    'E1 - Art. 20',
    'E2 - Art. 21',
    'E3 - Art. 22',
    'E4 - Arts. 23 y 24',
    'E5 - Art. 25',
    'E6 - Otros',
  ],
  '02': [
    'E1 - Art. 7',
    'E2 - Art. 8',
    'E3 - Art. 8',
    'E4 - Arts. 9 y 10',
    'E5 - Art. 8',
    'E6 - Otros',
  ],
  '03': [
    'E1 - Exenciones interiores',
    'E2 - Art. 11, Ley 20/1991',
    'E3 - Art. 12, Ley 20/1991',
    'E4 - Art. 13, Ley 20/1991',
    'E5 - Art. 25, Ley 19/1994',
    'E6 - Art. 47, Ley 19/1994 (ZEC)',
    'E7 - Pequeño empresario',
    'E8 - Otras, Ley 20/1991',
  ],
};
const TIPOS: Readonly<Record<Impuesto, readonly string[]>> = {
  '01': ['21', '10', '4', '0'],
  '02': ['0.5', '1', '2', '4', '8', '10'],
  '03': ['7', '3', '0', '5', '9.5', '15', '20'],
};
const RECARGOS = ['5.2', '1.4', '0.5', '1.75'];
/** Rates of IVA of 2022 to 2024 and their recargos, for rectifying invoices of that time. */
const TIPOS_CERRADOS = ['7.5', '5', '2'];
const RECARGOS_CERRADOS = ['1', '0.62', '0.26'];

/** The codes of a line, for users who know them. The rules report at once which do not go together. */
export function CodesDialog(props: CodesDialogProps) {
  const { tax, groups, typeClient, isAbono, onChoose, onClose } = props;
  const [codes, setCodes] = useState(() => startFrom(tax, groups, typeClient));
  const set = (change: Partial<Codigos>) => setCodes((now) => ({ ...now, ...change }));
  const tipo = codes.tipo || TIPOS[codes.Impuesto][0] || '0';
  const chosen = taxOfCodigos({ ...codes, tipo });
  const isTaxed = codes.calificacion === 'S1';

  return (
    <Dialog
      onClose={onClose}
      size={520}
      title="Elegir los códigos"
      closeButtonProps={{ 'aria-label': 'Cerrar' }}
    >
      <Stack gap={16}>
        <Text size="sm" c="dimmed">
          Los de las listas L1, L8, L9 y L10 de la AEAT, tal como irán en el registro de esta línea.
        </Text>
        <Select
          label="Impuesto"
          data={IMPUESTOS}
          value={codes.Impuesto}
          allowDeselect={false}
          onChange={(value) =>
            set({
              Impuesto: (value ?? '01') as Impuesto,
              ClaveRegimen: '01',
              tipo: '',
              recargo: '',
            })
          }
        />
        <Select
          label="Clave de régimen de la línea"
          data={clavesRegimenOf(codes.Impuesto).map(optionOf)}
          value={codes.ClaveRegimen}
          allowDeselect={false}
          searchable
          onChange={(value) => set({ ClaveRegimen: value ?? '01' })}
        />
        <Select
          label="Calificación o exención"
          data={[
            { group: 'Calificación', items: CALIFICACIONES },
            {
              group: 'Exención',
              items: EXENCIONES[codes.Impuesto].map((label) => ({
                value: label.slice(0, 2),
                label,
              })),
            },
          ]}
          value={codes.calificacion}
          allowDeselect={false}
          onChange={(value) => set({ calificacion: value ?? 'S1' })}
        />
        {isTaxed && (
          <Group grow align="flex-start">
            <Select
              label="Tipo"
              data={tiposOf(codes.Impuesto, isAbono).map(percentOption)}
              value={tipo}
              allowDeselect={false}
              onChange={(value) => set({ tipo: value ?? '' })}
            />
            {codes.Impuesto === '01' && (
              <Select
                label="Recargo de equivalencia"
                placeholder="Sin recargo"
                data={[...RECARGOS, ...(isAbono ? RECARGOS_CERRADOS : [])].map(percentOption)}
                value={codes.recargo || null}
                clearable
                clearButtonProps={{ 'aria-label': 'Quitar el recargo' }}
                onChange={(value) => set({ recargo: value ?? '' })}
              />
            )}
          </Group>
        )}
        <Text size="sm" c="dimmed">
          {mentionOf(chosen, typeClient)}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancelar
          </Button>
          <Button onClick={() => onChoose(chosen)}>Usar estos códigos</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function tiposOf(impuesto: Impuesto, isAbono: boolean): readonly string[] {
  const hasClosed = isAbono && impuesto === '01';
  return [...TIPOS[impuesto], ...(hasClosed ? TIPOS_CERRADOS : [])];
}

function startFrom(tax: string, groups: readonly VatGroup[], typeClient: string): Codigos {
  const typed = codigosOfTax(tax);
  if (typed) return typed;
  const group = findVatGroup(groups, tax, typeClient) ?? groups[0];
  const Impuesto = (group?.verifactu.Impuesto ?? '01') as Impuesto;
  return {
    Impuesto,
    ClaveRegimen: group?.verifactu.ClaveRegimen ?? '01',
    calificacion:
      group?.verifactu.CalificacionOperacion ?? group?.verifactu.OperacionExenta ?? 'S1',
    tipo: group?.verifactu.CalificacionOperacion === 'S1' ? String(group.VATPercentage) : '',
    recargo: group?.RecargoEquivalencia ? String(group.RecargoEquivalencia) : '',
  };
}

const optionOf = ({ value, label }: { value: string; label: string }) => ({ value, label });

const percentOption = (value: string) => ({
  value,
  label: `${value.replace('.', ',')}\u00a0%`,
});

function mentionOf(tax: string, typeClient: string): string {
  const leyenda = grupoDeCodigos(tax, typeClient)?.leyenda;
  return leyenda ? `La factura dirá: «${leyenda}».` : 'La factura no lleva ninguna mención.';
}
