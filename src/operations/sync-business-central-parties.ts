import {
  contentHash,
  customerFields,
  type PaymentLookups,
  productFields,
  termOf,
} from '../business-central/parties.ts';
import {
  BcCustomer,
  BcItem,
  BcMethod,
  BcTerm,
  fitsAsCode,
  LONG_CODE,
} from '../business-central/shapes.ts';
import {
  type Customer,
  type CustomerChoices,
  checkCustomer,
  groupOfPlace,
  MAX_CUSTOMER_NAME,
  withTown,
} from '../domain/customer.ts';
import { cut } from '../domain/cut.ts';
import { MAX_PRODUCT_NAME } from '../domain/product.ts';
import { ITEMS_READ } from '../store/business-central.ts';
import { findParties, type Party, saveParties } from '../store/business-central-parties.ts';
import { listTaxCodes } from '../store/business-central-tax-codes.ts';
import { customerChoices, findCatalog } from '../store/catalogs.ts';
import { findLikeCustomers } from '../store/customers.ts';
import { freeCodes, writeCustomers, writeProducts } from '../store/imports.ts';
import type { Product } from '../store/products.ts';
import type { Tx } from '../store/sql.ts';
import { count, eachChange, hold, note, type Sync } from './business-central-sync.ts';
import { companyOf } from './company-of.ts';
import { keyOfCode } from './map-business-central-taxes.ts';

const PAGE = 1000;

/** Clients that changed in Business Central: created here, or overwritten with what it says. */
export async function syncCustomers(sync: Sync): Promise<void> {
  const { sql } = sync.deps;
  const { companyId, bcCompany } = sync.connection;
  const [company, choices] = await Promise.all([
    companyOf(sync.deps, companyId),
    customerChoices(sql, companyId),
  ]);
  const lookups = await paymentLookups(sync, choices);
  const defaults = {
    PaymentTerms: company.paymentTerms,
    PaymentMethod: company.paymentMethod,
  };
  await eachChange(
    sync,
    { entity: 'customers', shape: BcCustomer, pageSize: PAGE },
    async (rows, reached) => {
      const known = await findParties(
        sql,
        sync.connection,
        'cliente',
        rows.map(({ id }) => id),
      );
      const changed = rows
        .map((row) => ({ row, fields: customerFields(row, lookups) }))
        .map((one) => ({ ...one, hash: contentHash([one.row.number, one.fields]) }))
        .filter(({ row, hash }) => known.get(row.id)?.contentHash !== hash);
      if (changed.length === 0) return;
      await sql.begin(async (tx) => {
        await hold(sync, tx);
        const ours = await readOurs(tx, companyId, changed, known);
        const judged = judgeCustomers(changed, ours, { defaults, choices });
        for (const { customer, isNew } of judged) {
          if (customer) count(sync, isNew ? 'clientesNuevos' : 'clientesCambiados', 1);
        }
        // By code: if two turn out to be one client here, the later one wins.
        const written = new Map(
          judged.flatMap(({ customer }) => (customer ? [[customer.No, customer]] : [])),
        );
        await writeCustomers(tx, companyId, [...written.values()]);
        const parties = judged.map(({ party }) => party);
        await saveParties(tx, { companyId, bcCompany }, 'cliente', parties);
        await reached(tx);
        await note(sync, tx);
      });
    },
  );
}

/** A client that is new or has changed there. */
interface ChangedCustomer {
  readonly row: BcCustomer;
  readonly fields: ReturnType<typeof customerFields>;
  readonly hash: string;
}

/** Data of ours that a page of clients is judged with. */
interface Ours {
  readonly known: ReadonlyMap<string, Party>;
  readonly like: readonly (Customer & { readonly isArchived: boolean })[];
  /** Free codes, for clients whose own number is empty or taken here. */
  readonly codes: readonly string[];
}

async function readOurs(
  tx: Tx,
  companyId: number,
  changed: readonly ChangedCustomer[],
  known: ReadonlyMap<string, Party>,
): Promise<Ours> {
  const found = await findLikeCustomers(tx, companyId, {
    nos: [
      ...changed.map(({ row }) => row.number),
      ...[...known.values()].flatMap(({ no }) => (no ? [no] : [])),
    ],
    nifs: changed.map(({ fields }) => fields.VATRegistrationNo),
  });
  // Earlier versions saved longer codes, which no invoice takes.
  const like = found.filter(({ No }) => fitsAsCode(No));
  const taken = new Set(like.map(({ No }) => No));
  const codes = await freeCodes(tx, companyId, {
    table: 'customers',
    count: countWithoutCode(
      changed.flatMap(({ row }) => (taken.has(known.get(row.id)?.no ?? '') ? [] : row.number)),
      taken,
    ),
    except: new Set(changed.map(({ row }) => row.number)),
  });
  return { known, like, codes };
}

interface Rules {
  readonly defaults: Pick<Customer, 'PaymentTerms' | 'PaymentMethod'>;
  readonly choices: CustomerChoices;
}

interface JudgedCustomer {
  readonly party: Party;
  /** As it is written here; null when it is not imported. */
  readonly customer: Customer | null;
  readonly isNew: boolean;
}

/** Judges a page of clients in order, each together with those before it: two may turn out to be one here. */
function judgeCustomers(
  changed: readonly ChangedCustomer[],
  { known, like, codes }: Ours,
  rules: Rules,
): JudgedCustomer[] {
  const free = [...codes];
  const byNo = new Map<string, Customer>(like.map((customer) => [customer.No, customer]));
  const byNif = new Map<string, Customer>(
    like
      .filter(({ isArchived, VATRegistrationNo }) => !isArchived && VATRegistrationNo !== '')
      .map((customer) => [customer.VATRegistrationNo, customer]),
  );
  return changed.map(({ row, fields, hash }) => {
    const before = known.get(row.id);
    const existing = (before?.no && byNo.get(before.no)) || byNif.get(fields.VATRegistrationNo);
    const { customer, problems, isUsable } = judgeCustomer(fields, {
      existing,
      number: row.number,
      isFree: !byNo.has(row.number),
      ...rules,
    });
    const No = customer.No || (isUsable ? nextOf(free) : '');
    const saved = isUsable ? { ...customer, No } : null;
    if (saved) {
      byNo.set(No, saved);
      if (saved.VATRegistrationNo) byNif.set(saved.VATRegistrationNo, saved);
    }
    const party = {
      bcId: row.id,
      number: row.number,
      name: row.displayName,
      no: isUsable ? No : (before?.no ?? null),
      contentHash: hash,
      problems,
    };
    return { party, customer: saved, isNew: !existing };
  });
}

/**
 * Judges a client: an invalid post code or e-mail is left out and reported; without a valid name or identification, or
 * with a number that is no code here, it is not imported.
 */
function judgeCustomer(
  fields: ReturnType<typeof customerFields>,
  {
    existing,
    number,
    isFree,
    defaults,
    choices,
  }: Rules & {
    readonly existing: Customer | '' | undefined;
    readonly number: string;
    /** Nobody has that number as a code here. */
    readonly isFree: boolean;
  },
): { customer: Customer; problems: string[]; isUsable: boolean } {
  const blank = { No: isFree ? number : '', Address: '', postCode: '', Email: '' };
  const typed: Customer = {
    ...(existing || { ...blank, ...defaults, CustomerPostingGroup: '' }),
    ...fields,
    Name: cut(fields.Name, MAX_CUSTOMER_NAME),
  };
  const moved = existing && existing.countryCode !== typed.countryCode;
  const complete = {
    ...typed,
    CustomerPostingGroup: (!moved && typed.CustomerPostingGroup) || groupOfPlace(typed),
  };
  const first = checkCustomer(complete, choices);
  const soft = first.problems.filter(({ campo }) => campo === 'postCode' || campo === 'Email');
  const hard = first.problems
    .filter((problem) => !soft.includes(problem))
    .map(({ mensaje }) => mensaje)
    .concat(existing || fitsAsCode(number) ? [] : [`Su número ${LONG_CODE}`]);
  const mended = { ...complete, ...Object.fromEntries(soft.map(({ campo }) => [campo, ''])) };
  const { customer } = checkCustomer(mended, choices);
  return {
    customer: existing ? withTown(customer, existing, fields.municipio) : customer,
    problems: [...hard, ...soft.map(({ mensaje }) => `${mensaje} Se ha traído sin ese dato.`)],
    isUsable: hard.length === 0,
  };
}

/** Upper bound of those that need a code of ours: they have no number there, or one that somebody else has here. */
function countWithoutCode(
  numbers: readonly string[],
  taken: { readonly has: (no: string) => boolean },
): number {
  const own = new Set(numbers.filter((number) => number !== '' && !taken.has(number)));
  return numbers.length - own.size;
}

function nextOf(codes: string[]): string {
  const code = codes.shift();
  if (!code) throw new Error('More clients need a code than were counted.');
  return code;
}

async function paymentLookups(sync: Sync, choices: CustomerChoices): Promise<PaymentLookups> {
  const { client, connection } = sync;
  const [terms, methods] = await Promise.all([
    client.list(connection.bcCompany, 'paymentTerms', BcTerm),
    client.list(connection.bcCompany, 'paymentMethods', BcMethod),
  ]);
  return {
    terms: new Map(
      terms.flatMap((term) => {
        const ours = termOf(term, choices.terminosPago);
        return ours ? [[term.id, ours]] : [];
      }),
    ),
    methods: new Map(
      methods.flatMap(({ id, code }) => (choices.formasPago.has(code) ? [[id, code]] : [])),
    ),
  };
}

/** Items that changed there. Their number is also their code here. */
export async function syncItems(sync: Sync): Promise<void> {
  const { sql } = sync.deps;
  const { companyId, bcCompany } = sync.connection;
  const [unidades, codes] = await Promise.all([
    findCatalog(sql, companyId, 'unidades'),
    listTaxCodes(sql, companyId),
  ]);
  const given = {
    units: new Set(unidades.map(({ Code }) => Code)),
    taxes: codes.filter(({ tax }) => tax !== null).map(keyOfCode),
  };
  await eachChange(
    sync,
    { entity: 'items', reading: ITEMS_READ, shape: BcItem, pageSize: PAGE },
    async (rows, reached) => {
      const known = await findParties(
        sql,
        sync.connection,
        'producto',
        rows.map(({ id }) => id),
      );
      const changed = rows
        .map((row) => ({ row, fields: productFields(row, given) }))
        .map((one) => ({
          ...one,
          hash: contentHash([one.row.number, one.row.displayName, one.fields]),
        }))
        .filter(({ row, hash }) => known.get(row.id)?.contentHash !== hash);
      if (changed.length === 0) return;
      const products = new Map<string, Product>();
      const parties = changed.map(({ row, fields, hash }): Party => {
        const before = known.get(row.id);
        const { number, displayName: name } = row;
        const party = { bcId: row.id, number, name, contentHash: hash };
        if ('problem' in fields) {
          return { ...party, no: before?.no ?? null, problems: [fields.problem] };
        }
        products.set(number, {
          ...fields,
          no: number,
          name: cut(fields.name, MAX_PRODUCT_NAME),
          // The tax is chosen here and stays: an empty one changes nothing.
          tax: '',
        });
        count(sync, before?.no ? 'productosCambiados' : 'productosNuevos', 1);
        return { ...party, no: number, problems: [] };
      });
      await sql.begin(async (tx) => {
        await hold(sync, tx);
        await writeProducts(tx, companyId, [...products.values()]);
        await saveParties(tx, { companyId, bcCompany }, 'producto', parties);
        await reached(tx);
        await note(sync, tx);
      });
    },
  );
}
