import { useRef, useState } from 'react';
import type { DatosEmpresa } from '../../../contract/company.ts';
import { type DefaultFields, useSaveDefaults } from './api.ts';

/**
 * The saved values, overlaid with changes that are being saved, one call at a time. Each call contains only its
 * change.
 */
export function useDefaults(company: DatosEmpresa) {
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
