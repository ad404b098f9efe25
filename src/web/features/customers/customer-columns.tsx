import type { Option } from '../../../contract/common.ts';
import type { Cliente } from '../../../contract/parties.ts';
import type { CustomerOptions } from '../../ui/forms/customer-form.tsx';
import type { Column } from '../../ui/table/data-table.tsx';
import type { Detail, RowSummary } from '../../ui/table/row-list.tsx';
import classes from './customer-columns.module.css';

const NOTHING = '—';

function labelOf(options: readonly Option[], value: string): string {
  return options.find((option) => option.value === value)?.label ?? value;
}

/** What stands in each column, under the names of the specification. */
export function customerColumns(options: CustomerOptions): Column<Cliente>[] {
  const { paises, terminosPago, formasPago } = options;
  return [
    {
      key: 'Name',
      header: 'Nombre',
      sortBy: 'Name',
      isRowHeader: true,
      bars: [88, 72, 94, 80],
      cell: ({ Name }) => (
        <span className={classes.name} title={Name}>
          {Name}
        </span>
      ),
    },
    {
      key: 'VATRegistrationNo',
      header: 'CIF',
      width: '10.6%',
      cell: ({ VATRegistrationNo }) => cut(VATRegistrationNo),
    },
    {
      key: 'Address',
      header: 'Dir. facturación',
      width: '13%',
      bars: [85, 70],
      cell: ({ Address }) => (
        <span className={classes.twoLines} title={Address}>
          {Address || NOTHING}
        </span>
      ),
    },
    { key: 'postCode', header: 'Código postal', width: '6.4%', cell: (row) => cut(row.postCode) },
    {
      key: 'countryCode',
      header: 'País',
      width: '6.8%',
      cell: ({ countryCode }) => cut(labelOf(paises, countryCode)),
    },
    {
      key: 'Email',
      header: 'Email',
      width: '12.4%',
      bars: [90, 75, 84],
      cell: ({ Email }) => cut(Email),
    },
    {
      key: 'PaymentTerms',
      header: 'Término pago',
      width: '8.6%',
      cell: ({ PaymentTerms }) => twoLines(labelOf(terminosPago, PaymentTerms)),
    },
    {
      key: 'PaymentMethod',
      header: 'Forma pago',
      width: '9.8%',
      cell: ({ PaymentMethod }) => twoLines(labelOf(formasPago, PaymentMethod)),
    },
    {
      key: 'CustomerPostingGroup',
      header: 'Grupo contable',
      width: '7.4%',
      cell: ({ CustomerPostingGroup }) => cut(CustomerPostingGroup),
    },
  ];
}

export function customerSummary({ Name, VATRegistrationNo, Email }: Cliente): RowSummary {
  return { title: Name, subtitle: VATRegistrationNo || Email || 'Sin CIF' };
}

export function customerDetails(customer: Cliente, options: CustomerOptions): Detail[] {
  const { paises, terminosPago, formasPago, gruposContables } = options;
  return [
    { label: 'CIF', value: customer.VATRegistrationNo || NOTHING },
    { label: 'Email', value: customer.Email || NOTHING },
    { label: 'Dir. facturación', value: customer.Address || NOTHING },
    { label: 'Código postal', value: customer.postCode || NOTHING },
    { label: 'País', value: labelOf(paises, customer.countryCode) },
    { label: 'Término pago', value: labelOf(terminosPago, customer.PaymentTerms) || NOTHING },
    { label: 'Forma pago', value: labelOf(formasPago, customer.PaymentMethod) || NOTHING },
    { label: 'Grupo contable', value: labelOf(gruposContables, customer.CustomerPostingGroup) },
  ];
}

/** One line, cut where it does not fit: the whole is in the title and in the form. */
function cut(text: string) {
  return (
    <span className={classes.oneLine} title={text}>
      {text || NOTHING}
    </span>
  );
}

function twoLines(text: string) {
  return (
    <span className={classes.twoLines} title={text}>
      {text || NOTHING}
    </span>
  );
}
