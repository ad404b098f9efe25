import { Collapse, Select, Textarea, UnstyledButton } from '@mantine/core';
import { useDisclosure, useId } from '@mantine/hooks';
import { IconChevronDown } from '@tabler/icons-react';
import type { Dispatch, ReactNode } from 'react';
import { DayField } from './day-field.tsx';
import type { DraftAction, DraftState } from './draft-state.ts';
import { percent } from './lines.ts';
import classes from './more-options.module.css';
import { RETENTION_OPTIONS } from './types-of-invoice.ts';

export interface MoreOptionsProps {
  readonly state: DraftState;
  readonly dispatch: Dispatch<DraftAction>;
  readonly today: string;
  readonly isReadOnly: boolean;
  readonly isForcedOpen: boolean;
  readonly noteAt: (place: string) => { error?: ReactNode; description?: ReactNode };
}

/** What few invoices need. Open from the start when one of them has something. */
export function MoreOptions(props: MoreOptionsProps) {
  const { state, dispatch, today, isReadOnly, noteAt } = props;
  const { fechaOperacion, retencionIRPF, notas } = state;
  const [isWanted, { toggle }] = useDisclosure(Boolean(fechaOperacion || retencionIRPF || notas));
  const isOpen = isWanted || props.isForcedOpen;
  const id = useId();
  return (
    <div>
      <UnstyledButton
        className={classes.toggle ?? ''}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={toggle}
      >
        <IconChevronDown size={16} stroke={1.8} aria-hidden="true" />
        Más opciones
        {!isOpen && <span className={classes.what}>Fecha de operación, retención IRPF, notas</span>}
      </UnstyledButton>
      <Collapse expanded={isOpen} id={id}>
        <div className={classes.fields}>
          <DayField
            label="Fecha de operación"
            place="fechaOperacion"
            value={fechaOperacion}
            today={today}
            isOptional
            isDisabled={isReadOnly}
            onChange={(day) => dispatch({ kind: 'set', change: { fechaOperacion: day } })}
            {...withHelp(noteAt('fechaOperacion'), 'Solo si no es la de la factura.')}
          />
          <Select
            label="Retención IRPF"
            data-place="retencionIRPF"
            placeholder="Sin retención"
            data={retentions(retencionIRPF)}
            value={retencionIRPF || null}
            clearable
            clearButtonProps={{ 'aria-label': 'Quitar la retención' }}
            disabled={isReadOnly}
            onChange={(value) => dispatch({ kind: 'set', change: { retencionIRPF: value ?? '' } })}
            {...withHelp(noteAt('retencionIRPF'), 'Se resta de lo que cobras, no del total.')}
          />
          <Textarea
            label="Notas"
            data-place="notas"
            className={classes.notes ?? ''}
            autosize
            minRows={2}
            maxRows={8}
            maxLength={2000}
            value={notas}
            disabled={isReadOnly}
            onChange={(event) =>
              dispatch({ kind: 'set', change: { notas: event.currentTarget.value } })
            }
            {...withHelp(noteAt('notas'), 'Salen en la factura, debajo de la forma de pago.')}
          />
        </div>
      </Collapse>
    </div>
  );
}

/** The rates of the law, and the draft's own when it is another. */
function retentions(current: string) {
  const known = RETENTION_OPTIONS.some(({ value }) => value === current);
  if (known || current === '') return [...RETENTION_OPTIONS];
  return [...RETENTION_OPTIONS, { value: current, label: percent(Number(current)) }];
}

function withHelp(note: { error?: ReactNode; description?: ReactNode }, help: string) {
  return note.error || note.description ? note : { description: help };
}
