import { Textarea, TextInput } from '@mantine/core';
import type { Dispatch, ReactNode } from 'react';
import type { LecturaAnswer } from '../../../../contract/reading.ts';
import { IDENTIFICACIONES } from '../../../../domain/customer.ts';
import { retentionOptions } from '../../../../domain/irpf.ts';
import { territoryOf } from '../../../../domain/postal-code.ts';
import { useSaveCustomer } from '../../../lib/customers.ts';
import { errorMessages } from '../../../lib/http.ts';
import { Disclosure } from '../../../ui/disclosure.tsx';
import { useErrorDialog } from '../../../ui/error-dialog.tsx';
import { DayField } from '../../../ui/forms/day-field.tsx';
import { Select } from '../../../ui/forms/select.tsx';
import { RetentionNote } from '../upload/read-notes.tsx';
import { useCatalogs } from './catalogs.tsx';
import type { DraftAction, DraftState } from './draft-state.ts';
import { tidyPrice } from './lines.ts';
import classes from './more-options.module.css';

export interface MoreOptionsProps {
  readonly state: DraftState;
  readonly dispatch: Dispatch<DraftAction>;
  readonly today: string;
  readonly isReadOnly: boolean;
  readonly isForcedOpen: boolean;
  readonly noteAt: (place: string) => { error?: ReactNode; description?: ReactNode };
  /** What it was read from, if it came from a file. */
  readonly lectura?: LecturaAnswer | undefined;
}

/** Options that few invoices need. Open from the start if one of them has a value. */
export function MoreOptions(props: MoreOptionsProps) {
  const { state, dispatch, today, isReadOnly, noteAt } = props;
  const { fechaOperacion, retencionIRPF, notas, suplidos, tipoIdentificacion } = state;
  const { company } = useCatalogs();
  const territory = territoryOf(company.postCode, company.countryCode);
  return (
    <div>
      <Disclosure
        label="Más opciones"
        summary={
          <span className={classes.what}>Fecha de operación, retención IRPF, suplidos, notas</span>
        }
        isOpenAtFirst={Boolean(
          fechaOperacion || retencionIRPF || notas || suplidos || tipoIdentificacion,
        )}
        isForcedOpen={props.isForcedOpen}
      >
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
            data={retentionOptions(retencionIRPF, territory)}
            value={retencionIRPF || null}
            clearable
            clearButtonProps={{ 'aria-label': 'Quitar la retención' }}
            disabled={isReadOnly}
            onChange={(value) => dispatch({ kind: 'set', change: { retencionIRPF: value ?? '' } })}
            {...withHelp(
              noteAt('retencionIRPF'),
              <>
                Se resta de lo que cobras, no del total.
                {props.lectura && <RetentionNote lectura={props.lectura} value={retencionIRPF} />}
              </>,
            )}
          />
          <TextInput
            label="Suplidos"
            data-place="suplidos"
            inputMode="decimal"
            placeholder="0,00"
            rightSection="€"
            value={suplidos}
            disabled={isReadOnly}
            onChange={(event) =>
              dispatch({ kind: 'set', change: { suplidos: event.currentTarget.value } })
            }
            onBlur={() => dispatch({ kind: 'set', change: { suplidos: tidyPrice(suplidos) } })}
            {...withHelp(
              noteAt('suplidos'),
              'Lo que pagaste en nombre de tu cliente: se cobra aparte del total.',
            )}
          />
          <TextInput
            label="Concepto de los suplidos"
            data-place="suplidosConcepto"
            maxLength={200}
            value={state.suplidosConcepto}
            disabled={isReadOnly || suplidos.trim() === ''}
            onChange={(event) =>
              dispatch({ kind: 'set', change: { suplidosConcepto: event.currentTarget.value } })
            }
            description="Por ejemplo, «Tasas del Registro Mercantil»."
          />
          <Select
            label="Identificación del cliente"
            data-place="tipoIdentificacion"
            className={classes.notes ?? ''}
            placeholder="La de su ficha"
            data={[...IDENTIFICACIONES]}
            value={tipoIdentificacion || null}
            clearable
            clearButtonProps={{ 'aria-label': 'Usar la de su ficha' }}
            disabled={isReadOnly}
            onChange={(value) =>
              dispatch({
                kind: 'set',
                change: { tipoIdentificacion: (value ?? '') as typeof tipoIdentificacion },
              })
            }
            {...withHelp(
              noteAt('tipoIdentificacion'),
              <KeepIdentification state={state} isReadOnly={isReadOnly} />,
            )}
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
      </Disclosure>
    </div>
  );
}

/** What was chosen for this invoice may be wanted for all of this client's. */
function KeepIdentification({ state, isReadOnly }: Pick<MoreOptionsProps, 'state' | 'isReadOnly'>) {
  const { clients } = useCatalogs();
  const save = useSaveCustomer();
  const errors = useErrorDialog();
  const { tipoIdentificacion, invoiceClient } = state;
  const client = clients.find(({ No }) => No === invoiceClient);
  if (!client || !tipoIdentificacion) {
    return 'Solo si la AEAT no reconoce su NIF, o si se identifica con otro documento.';
  }
  if (client.tipoIdentificacion === tipoIdentificacion) return 'Es la de su ficha.';
  return (
    <>
      Solo en esta factura.{' '}
      {!isReadOnly && (
        <button
          type="button"
          className={`hu-link ${classes.keep}`}
          disabled={save.isPending}
          onClick={() =>
            save.mutate(
              { No: client.No, tipoIdentificacion },
              { onError: (error) => errors.show(errorMessages(error)) },
            )
          }
        >
          Guardarla en su ficha
        </button>
      )}
    </>
  );
}

function withHelp(note: { error?: ReactNode; description?: ReactNode }, help: ReactNode) {
  return note.error || note.description ? note : { description: help };
}
