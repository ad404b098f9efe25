import { expect } from 'vitest';
import type {
  FilaPorTipo,
  Resumen,
  SumasPorTipo,
  TrimestrePorTipo,
} from '../../src/contract/invoices.ts';
import { centsToNumber, numberToCents } from '../../src/domain/money.ts';
import { expectOk, type TestCompany } from './world.ts';

/**
 * What this quarter comes to by rates, once it is sure that it adds up to the figures of Inicio, and to those of all
 * days.
 */
export async function quarterByRate(company: TestCompany): Promise<readonly FilaPorTipo[]> {
  const get = async <T>(call: string) =>
    expectOk(await company.call<T>('GET', `/api/GetData/${call}`));
  const { trimestre } = await get<Resumen>('GetResumen');
  const filas = (await get<TrimestrePorTipo>('GetTrimestrePorTipo')).filas ?? [];
  const sum = (amounts: readonly number[]) =>
    centsToNumber(amounts.reduce((cents, euros) => cents + numberToCents(euros), 0n));
  expect({
    base: sum(filas.map(({ base }) => base)),
    iva: sum(filas.flatMap(({ cuota, cuotaRecargo }) => [cuota, cuotaRecargo])),
  }).toEqual({ base: trimestre.base, iva: trimestre.iva });
  const [quarter] = filas.map((fila) => fila.trimestre);
  const all = await get<SumasPorTipo>('GetSumasPorTipo');
  expect(all.filas.filter((fila) => fila.trimestre === quarter)).toEqual(filas);
  return filas;
}
