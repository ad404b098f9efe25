/** Lists of contacts in which Odoo has the persons of a company beside it, as «Empresa, Persona». */

import type { FileRow } from './read-file.ts';
import { folded } from './sheets.ts';

/** «Cervezas Ñandú, S.L.» beside «Cervezas Ñandú» is a company. */
const COMPANY_FORM = /^(?:s\.? ?(?:[acl]|coop)|c\.? ?b)\.?(?: ?[a-z]\.?)?$/;

/** The rows of persons of a company that has a row of its own, and who have no NIF. */
export function contactPersons(rows: readonly FileRow[]): readonly FileRow[] {
  const names = new Set(rows.map(({ values }) => folded(values.Name ?? '')));
  return rows.filter(({ values: { Name = '', VATRegistrationNo = '' } }) => {
    const [, company, person = ''] = /^(.+),\s*([^,]+)$/.exec(folded(Name)) ?? [];
    return (
      company !== undefined &&
      !VATRegistrationNo &&
      names.has(company) &&
      !COMPANY_FORM.test(person)
    );
  });
}
