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

export interface CustomerColumnsOptions {
  /** Whether columns may have their full width. */
  readonly isRoomy: boolean;
}

/** The columns of the table. */
export function customerColumns(
  { paises, terminosPago, formasPago }: CustomerOptions,
  { isRoomy }: CustomerColumnsOptions,
): Column<Cliente>[] {
  const width = (roomy: number, tight: number) => `${isRoomy ? roomy : tight}px`;
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
      width: width(110, 98),
      sortBy: 'VATRegistrationNo',
      cell: ({ VATRegistrationNo }) => (
        <span className={classes.code}>{VATRegistrationNo || NOTHING}</span>
      ),
    },
    {
      key: 'Address',
      header: 'Dir. facturación',
      width: width(132, 108),
      bars: [85, 70],
      cell: ({ Address }) => (
        <span className={classes.twoLines} title={Address}>
          {Address || NOTHING}
        </span>
      ),
    },
    {
      key: 'postCode',
      header: 'Código postal',
      width: width(74, 62),
      cell: (row) => cut(row.postCode),
    },
    {
      key: 'countryCode',
      header: 'País',
      width: width(68, 64),
      cell: ({ countryCode }) => cut(labelOf(paises, countryCode)),
    },
    {
      key: 'Email',
      header: 'Email',
      width: width(140, 102),
      sortBy: 'Email',
      bars: [90, 75, 84],
      cell: ({ Email }) => <EmailText email={Email} />,
    },
    {
      key: 'PaymentTerms',
      header: 'Término pago',
      width: width(112, 76),
      cell: ({ PaymentTerms }) => twoLines(labelOf(terminosPago, PaymentTerms)),
    },
    {
      key: 'PaymentMethod',
      header: 'Forma pago',
      width: width(116, 106),
      cell: ({ PaymentMethod }) => twoLines(labelOf(formasPago, PaymentMethod)),
    },
    {
      key: 'CustomerPostingGroup',
      header: 'Grupo contable',
      width: width(84, 74),
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
    { label: 'Email', value: customer.Email ? <EmailText email={customer.Email} /> : NOTHING },
    { label: 'Dir. facturación', value: customer.Address || NOTHING },
    { label: 'Código postal', value: customer.postCode || NOTHING },
    { label: 'País', value: labelOf(paises, customer.countryCode) },
    { label: 'Término pago', value: labelOf(terminosPago, customer.PaymentTerms) || NOTHING },
    { label: 'Forma pago', value: labelOf(formasPago, customer.PaymentMethod) || NOTHING },
    { label: 'Grupo contable', value: labelOf(gruposContables, customer.CustomerPostingGroup) },
  ];
}

/** One line, truncated if it does not fit: the full text is in the title and the form. */
function cut(text: string) {
  return (
    <span className={classes.oneLine} title={text}>
      {text || NOTHING}
    </span>
  );
}

/** Breaks before the domain if it does not fit on one line. */
function EmailText({ email }: { readonly email: string }) {
  if (!email) return NOTHING;
  const [name, ...domain] = email.split('@');
  return (
    <span className={classes.email} title={email}>
      {name}
      <wbr />
      {domain.length > 0 && `@${domain.join('@')}`}
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
