/** Lists of contacts in which Odoo has the persons of a company beside it, as «Empresa, Persona». */

import { normaliseNif } from '../domain/nif.ts';
import type { FileRow } from './read-file.ts';
import { folded } from './sheets.ts';

/** «Cervezas Ñandú, S.L.» beside «Cervezas Ñandú» is a company. */
const COMPANY_FORM = /^(?:s\.? ?(?:[acl]|coop)|c\.? ?b)\.?(?: ?[a-z]\.?)?$/;

/** The rows of persons of a company that has a row of its own, and who have no NIF or, as Odoo exports them, its NIF. */
export function contactPersons(rows: readonly FileRow[]): readonly FileRow[] {
  const nifs = new Map(
    rows.map(({ values }) => [
      folded(values.Name ?? ''),
      normaliseNif(values.VATRegistrationNo ?? ''),
    ]),
  );
  return rows.filter(({ values: { Name = '', VATRegistrationNo = '' } }) => {
    const [, company, person = ''] = /^(.+),\s*([^,]+)$/.exec(folded(Name)) ?? [];
    const nif = company === undefined ? undefined : nifs.get(company);
    const isTheirs = !VATRegistrationNo || normaliseNif(VATRegistrationNo) === nif;
    return nif !== undefined && isTheirs && !COMPANY_FORM.test(person);
  });
}
